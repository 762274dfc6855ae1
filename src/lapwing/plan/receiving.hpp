#pragma once

#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// The profile as it is for a rank that computes and only receives: its overhead of a message is
/// what one was seen to cost such a rank in calls and in waiting, handshakes included. Messages
/// larger than those exposed least cost as much a byte. The profile has `progress.receiving`.
[[nodiscard]] Profile receiving(const Profile& profile);

}  // namespace lapwing

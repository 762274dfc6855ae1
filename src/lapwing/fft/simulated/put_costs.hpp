#pragma once

#include "lapwing/fft/options.hpp"
#include "lapwing/profile/profile.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing::fft {

/// What the puts of a transport cost on this machine; null if that was not measured.
[[nodiscard]] const OperationCosts* find_put(const Profile& profile, Transport transport);

/// What puts between two ranks cost: they take no time of the target's processor, wait for no
/// receive, and are complete when they have arrived. Throws `std::invalid_argument` if puts were
/// not measured.
[[nodiscard]] LinkCosts link_of_puts(const Profile& profile, Transport transport);

/// Seconds of the origin's processor to complete a put, by its bytes: what each put of a long train
/// takes beyond the initiation of a single one. 0 if that was not measured.
[[nodiscard]] LinearCost put_completion(const Profile& profile, Transport transport);

}  // namespace lapwing::fft

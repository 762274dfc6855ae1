#pragma once

#include "lapwing/plan/workload.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// Whether the profile says what messages by `transport` cost.
[[nodiscard]] bool is_measured(const Profile& profile, MessageTransport transport);

/// What a message costs that is moved by `transport`, put or get. The profile's operation "rput" or
/// "rget" of the transport "rma" moves the data; the offer before it and the answer behind it are
/// short two-sided messages.
///
///     put:  the receiver offers, the sender puts, flushes and answers
///     get:  the sender offers, the receiver gets and answers
///
/// - The side that does not move the data pays for the offer and the answer alone, at any size.
/// - The latency of a two-sided message grows by the offer, by the way back after which an
///   operation's end is known, and for a put by the answer.
/// - If the side that moves the data does not compute (`direction` says), it is busy with one
///   message while nothing else moves: a put's flush waits for all of them.
///
/// Throws `std::invalid_argument` for what was not measured.
[[nodiscard]] LinkCosts one_sided_costs(const Profile& profile, MessageTransport transport,
                                        Direction direction);

}  // namespace lapwing

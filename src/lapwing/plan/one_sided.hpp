#pragma once

#include "lapwing/plan/message_transport.hpp"
#include "lapwing/plan/workload.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// Whether the profile says what messages by `transport` cost.
[[nodiscard]] bool is_measured(const Profile& profile, MessageTransport transport);

/// The machine as messages see it that are moved by `transport`: as far as a planner looks. What
/// moves the data, a put and its flush or a get, is the profile's operation "rput" or "rget" of the
/// transport "rma"; the offer before it and the answer behind it are short two-sided messages.
///
///     put:  the receiver offers, the sender puts, flushes and answers
///     get:  the sender offers, the receiver gets and answers
///
/// Where data is put or got it takes the other side's processor the offer and the answer alone,
/// however long it is. A message is longer on its way than a two-sided one: by the offer, by the
/// way back that an operation takes until its end is known, and a put by its answer. Who moves the
/// data without computing, which `direction` says, is busy with one message while nothing else
/// moves: a put's flush waits for all of them.
/// Two-sided messages, or any, see the machine as it is. Throws `std::invalid_argument` for what
/// was not measured.
[[nodiscard]] Profile seen_by(const Profile& profile, MessageTransport transport,
                              Direction direction);

}  // namespace lapwing

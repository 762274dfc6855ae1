#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace lapwing {

/// The hardware queue depth HD: how many messages of a burst are initiated before initiation starts
/// to wait for earlier messages to finish (Iancu 2.1, figure 2). None if initiation never slows
/// down within the burst.
///
/// `initiation`: seconds that each message of the burst took to initiate. Initiation has slowed
/// down if from one message on, to the last eighth of the burst, the typical message takes at least
/// `factor` times what it took before. A single slow message does not count.
std::optional<int> detect_queue_depth(std::span<const double> initiation, double factor = 2);

/// The number of outstanding messages beyond which *completion* slows down: a queue that initiation
/// does not show. Each further message then takes at least `factor` times as long as each took
/// before, to the end. None if completion never slows down.
///
/// `bursts`: messages initiated at once, increasing. `times`: seconds until all messages of a burst
/// were complete.
std::optional<int> detect_completion_depth(std::span<const int> bursts,
                                           std::span<const double> times, double factor = 2);

/// The number of outstanding bytes beyond which bandwidth drops for good (Iancu 3.2: 4 MB on Elan):
/// the largest of `volumes` that reaches the best bandwidth while all larger ones stay below `1 -
/// drop` of it. None if bandwidth does not drop, or if fewer than two larger volumes were tried:
/// one slow flood proves nothing. Nor does one fast flood, so the best is the second best of all.
///
/// `volumes`: bytes, increasing. `bandwidths`: bytes a second, one for each volume.
std::optional<std::uint64_t> detect_outstanding_limit(std::span<const std::uint64_t> volumes,
                                                      std::span<const double> bandwidths,
                                                      double drop = 0.15);

}  // namespace lapwing

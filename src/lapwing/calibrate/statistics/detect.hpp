#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace lapwing {

/// When the messages of a burst were complete, from the seconds when their receiver had them. The
/// receiver takes `overhead` seconds for each, one after another, so it has some later than they
/// come. Those follow one another `gap` seconds apart at most.
std::vector<double> completions(std::span<const double> received, double overhead, double gap);

/// A burst of messages that were initiated back to back.
struct Burst {
    std::span<const double> initiation;  ///< seconds that each message took to initiate
    std::span<const double> complete;    ///< seconds from the start until each was complete
    double gap = 0;                      ///< seconds that a message has the wire
    bool exact = false;  ///< without noise, as in simulated time: single messages count as well

    /// Messages that are outstanding when message `k` is about to be initiated: those before it
    /// less those that are complete.
    [[nodiscard]] int outstanding(std::size_t k) const;
};

/// How an initiation finds the queue of an interface full.
struct QueueDepth {
    int depth = 0;       ///< messages that are outstanding then
    bool waits = false;  ///< whether it waits for room; it only takes longer otherwise
    std::size_t full =
        0;  ///< number of the first message that does: the depth and what had drained
};

/// The hardware queue depth HD (Iancu 2.1, figure 2): with so many messages outstanding, initiation
/// waits for earlier messages to finish, or takes longer for good. None if initiation never slows
/// down within the burst.
///
/// Initiation waits if from one message on it takes as long as the wire. The wire must take several
/// times as long as an initiation that does not wait. Otherwise it has slowed down if from one
/// message on, to the last eighth of the burst, the typical message takes at least `factor` times
/// what it took before. If that happens several times, the last one counts. Earlier ones are an
/// overhead that grows with the burst. In noise a single slow message does not count, nor does one
/// of the first four.
std::optional<QueueDepth> detect_queue_depth(const Burst& burst, double factor = 2);

/// The number of outstanding messages beyond which *completion* slows down: a queue that initiation
/// does not show. Each further message then takes at least `factor` times as long as each took
/// before, to the end. None if completion never slows down.
///
/// `bursts`: messages initiated at once, increasing. `times`: seconds until all messages of a burst
/// were complete.
std::optional<int> detect_completion_depth(std::span<const int> bursts,
                                           std::span<const double> times, double factor = 2);

/// The number of outstanding bytes beyond which bandwidth drops for good (Iancu 3.2: 4 MB on Elan).
/// It is the largest of `volumes` that reaches the best bandwidth while all larger ones stay below
/// `1 - drop` of it. None if bandwidth does not drop, or if fewer than two larger volumes were
/// tried: one slow flood proves nothing. Nor does one fast flood, so the best is the second best of
/// all.
///
/// `volumes`: bytes, increasing. `bandwidths`: bytes a second, one for each volume.
std::optional<std::uint64_t> detect_outstanding_limit(std::span<const std::uint64_t> volumes,
                                                      std::span<const double> bandwidths,
                                                      double drop = 0.15);

}  // namespace lapwing

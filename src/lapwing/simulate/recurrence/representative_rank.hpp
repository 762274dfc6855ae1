#pragma once

#include <cstddef>
#include <vector>

#include "lapwing/model/stream.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing::simulate {

/// How long a representative rank takes.
struct RankResult {
    double seconds = 0;  ///< until it has sent, received and consumed everything
    /// Whether it never had messages under way to more than two peers.
    bool in_step = true;
};

/// One rank of a pattern in which all computing ranks do the same at the same time, each with other
/// peers. It stands for all of them, and its time is theirs. It sends as many messages as it
/// receives, or only sends, or only receives.
struct RepresentativeRank {
    /// Costs of its messages. If it only receives, `o_s` is its senders'; if it only sends, `o_r`
    /// is its receivers'. `t` is not used.
    model::Stream costs;
    bool sends = true;
    bool receives = true;
    double before = 0;  ///< computation that a send waits for, seconds per byte
    double after = 0;   ///< computation that waits for a receive, seconds per byte
    Nic nic = Nic::serialising;

    /// Exchanges messages of `sizes` bytes, `each` of them with one peer, then as many with the
    /// next. At most `window` messages are in flight: initiated, and not awaited.
    ///
    /// With computation before sending, the rank runs `pipeline`: it awaits and consumes the oldest
    /// message when it is to produce another and the window is full. Without, it runs `stream`: it
    /// initiates a message as soon as the window has room, before it consumes the one that arrived.
    [[nodiscard]] RankResult run(const std::vector<double>& sizes, std::size_t window,
                                 std::size_t each) const;
};

}  // namespace lapwing::simulate

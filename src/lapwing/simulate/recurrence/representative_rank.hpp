#pragma once

#include <cstddef>
#include <vector>

#include "lapwing/model/stream.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing::simulate {

/// How an exchange went.
struct RankResult {
    double seconds = 0;  ///< until all is sent, received and consumed
    /// Whether no rank ever had messages under way to more than two of its peers.
    bool in_step = true;
};

/// What a rank that computes does: in a two-way pattern all ranks do the same at the same time,
/// each with other partners, so that one stands for all. It sends as many messages as it receives,
/// or does one of the two.
struct RepresentativeRank {
    /// Of a rank that only receives, `o_s` is that of its senders; of one that only sends, `o_r`
    /// that of its receivers. `t` is not used.
    model::Stream costs;
    bool sends = true;
    bool receives = true;
    double before = 0;  ///< seconds of computation a byte that its sending waits for
    double after = 0;   ///< seconds of computation a byte that waits for its receiving
    Nic nic = Nic::serialising;

    /// Plays messages of `sizes` bytes each, of which at most `window` are in flight: initiated,
    /// and not awaited. Every `each` of them go to one peer, and the next to the next.
    ///
    /// With computation before sending it is `pipeline`: the oldest message is awaited and consumed
    /// when another is to be made and the window is full. Without, it is `stream`: messages are
    /// initiated as soon as the window has room, and the next one is before what has arrived is
    /// consumed.
    [[nodiscard]] RankResult run(const std::vector<double>& sizes, std::size_t window,
                                 std::size_t each) const;
};

}  // namespace lapwing::simulate

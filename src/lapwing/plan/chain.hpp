#pragma once

#include <cstdint>

#include "lapwing/model/stream.hpp"
#include "lapwing/plan/messages.hpp"

namespace lapwing {

/// Chains are no longer than this: what a longer one would still save is not worth planning it.
inline constexpr int most_chained = 512;

/// The chain of messages in which each arrives when the one before it is consumed, and its costs,
/// sizes as real numbers.
struct Chain {
    model::Stream costs;
    double volume;     ///< bytes in all
    double ratio;      ///< S_{k+1} = ratio S_k + increment: arrives when the one before is consumed
    double increment;  ///< bytes
    double largest;    ///< bytes a message may have
    double cap;        ///< bytes beyond which a longer message saves nothing

    /// `most` bytes a message may have, but for the grain.
    Chain(const model::Stream& x, double bytes, double grain, double most);

    /// Size of the message after, or before, one of `size` bytes.
    [[nodiscard]] double after(double size) const { return ratio * size + increment; }
    [[nodiscard]] double before(double size) const { return (size - increment) / ratio; }

    /// `n` messages. The sender issues its second message `o_s` after the first; where that is
    /// after the first has left, the second is shorter than the chain would have it, by as much as
    /// it is late, and the chain starts from there.
    [[nodiscard]] Messages of(std::uint64_t grain, int n) const;
    /// A chain that stays below the cap, followed from its small end, and equal messages of about
    /// the cap for the rest of the volume, behind it or, if the chain shrinks towards its end,
    /// before it.
    [[nodiscard]] Messages capped(std::uint64_t grain, double small_end, bool growing) const;
};

}  // namespace lapwing

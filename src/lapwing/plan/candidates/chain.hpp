#pragma once

#include <cstdint>

#include "lapwing/model/stream.hpp"
#include "lapwing/plan/messages.hpp"

namespace lapwing {

/// Longest chain, messages: a longer one saves less than it takes to plan.
inline constexpr int most_chained = 512;

/// The software pipeline of a stream: messages of geometric sizes, `S_{k+1} = ratio S_k +
/// increment`, each of which arrives when the one before it is consumed (`model::chain_first`).
/// Sizes are real numbers here; the functions cut them at the grain.
struct Chain {
    model::Stream costs;
    double volume;  ///< bytes in all
    double ratio;
    double increment;  ///< bytes
    double largest;    ///< of a message, bytes
    double cap;        ///< beyond which a longer message saves nothing, bytes

    /// Of `bytes` in all, in messages of at most `most` bytes, or one grain.
    Chain(const model::Stream& x, double bytes, double grain, double most);

    /// Size of the message after, or before, one of `size` bytes.
    [[nodiscard]] double after(double size) const { return ratio * size + increment; }
    [[nodiscard]] double before(double size) const { return (size - increment) / ratio; }

    /// The chain in `n` messages. The sender issues its second message `o_s` after the first; where
    /// that is after the first has left, the second is shorter by as much as it is late, and the
    /// chain starts from there.
    [[nodiscard]] Messages cut(std::uint64_t grain, int n) const;
    /// A chain that stays below the cap, followed from its small end, and equal messages of about
    /// the cap for the rest of the volume: behind it, or before it if the chain shrinks.
    [[nodiscard]] Messages cut_capped(std::uint64_t grain, double small_end, bool growing) const;
};

}  // namespace lapwing

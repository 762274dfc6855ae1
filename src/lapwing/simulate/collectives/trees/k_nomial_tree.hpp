#pragma once

#include <algorithm>
#include <cstdint>

#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::simulate {

/// The k-nomial tree of ranks 0 to `ranks - 1`: the parent of a rank is its number, written in base
/// k (`radix`), without its lowest digit that is not 0. The ranks of every subtree are consecutive.
/// With k = 2 it is binomial.
class KNomialTree {
  public:
    KNomialTree(Rank ranks, std::uint32_t radix) : ranks_(ranks), radix_(radix) {}

    [[nodiscard]] static Rank root() { return 0; }
    [[nodiscard]] static bool idle(Rank) { return false; }
    [[nodiscard]] Rank parent(Rank rank) const {
        const std::uint64_t unit = weight(rank);
        return static_cast<Rank>(rank - rank / unit % radix_ * unit);
    }
    [[nodiscard]] std::uint32_t children(Rank rank) const {
        std::uint32_t count = 0;
        for (std::uint64_t unit = 1; unit < weight(rank) && rank + unit < ranks_; unit *= radix_)
            count += siblings(rank, unit);
        return count;
    }
    /// The `i`-th child: those with the largest subtrees are first, of these the nearest.
    [[nodiscard]] Rank child(Rank rank, std::uint32_t i) const {
        std::uint64_t unit = 1;
        while (unit * radix_ < weight(rank) && rank + unit * radix_ < ranks_) unit *= radix_;
        for (; i >= siblings(rank, unit); unit /= radix_) i -= siblings(rank, unit);
        return static_cast<Rank>(rank + (i + 1) * unit);
    }
    /// The position of `rank` among its parent's children.
    [[nodiscard]] std::uint32_t place(Rank rank) const {
        const Rank above = parent(rank);
        const std::uint64_t own = weight(rank);
        auto place = static_cast<std::uint32_t>((rank - above) / own - 1);
        for (std::uint64_t unit = own * radix_; unit < weight(above) && above + unit < ranks_;
             unit *= radix_)
            place += siblings(above, unit);
        return place;
    }
    /// The ranks of the subtree of `rank`: `count` from `first` on.
    struct Ranks {
        Rank first;
        Rank count;
    };
    [[nodiscard]] Ranks subtree(Rank rank) const {
        const std::uint64_t beyond = ranks_ - rank;
        return {rank, static_cast<Rank>(std::min(weight(rank), beyond))};
    }

  private:
    /// The weight of the lowest digit that is not 0; of rank 0, one that no rank reaches.
    [[nodiscard]] std::uint64_t weight(Rank rank) const {
        std::uint64_t unit = 1;
        while (unit < ranks_ && rank / unit % radix_ == 0) unit *= radix_;
        return unit;
    }
    /// The number of children `unit`, 2 `unit`, … after `rank`.
    [[nodiscard]] std::uint32_t siblings(Rank rank, std::uint64_t unit) const {
        const std::uint64_t there = (ranks_ - rank - 1) / unit;
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(there, radix_ - 1));
    }

    Rank ranks_;
    std::uint32_t radix_;
};

}  // namespace lapwing::simulate

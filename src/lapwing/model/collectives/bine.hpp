#pragma once

#include <algorithm>
#include <cstdint>

#include "lapwing/model/collectives/arrivals.hpp"
#include "lapwing/model/collectives/cached_costs.hpp"
#include "lapwing/model/collectives/rounds.hpp"
#include "lapwing/model/collectives/trees.hpp"
#include "lapwing/model/network.hpp"

namespace lapwing::model {

/// A Bine tree of `ranks`, which has the shape of a binomial tree. If their number is no power of
/// two, some ranks form pairs. The first rank of each pair, and each rank without a pair, is a core
/// of the tree. The other rank of a pair is one more child of its core, the last.
class BineTree {
  public:
    explicit BineTree(std::uint64_t ranks)
        : ranks_(ranks), levels_(floor_log(ranks)), depth_(depth_of(ranks - cores())) {}

    [[nodiscard]] std::uint64_t cores() const { return std::uint64_t{1} << levels_; }
    /// The number of ranks that `cores` cores of the subtree of the root's first child stand for,
    /// on average. That subtree is the half of the ring that begins behind the root's own.
    [[nodiscard]] std::uint64_t stand_for(std::uint64_t cores) const {
        const std::uint64_t half = this->cores() / 2;
        if (half == 0) return cores;
        const std::uint64_t own = 1 + ((half - 1) & 0x5555555555555555U);
        const std::uint64_t twos = ranks_ - this->cores();
        const std::uint64_t there = twos < own ? 0 : std::min(twos - own, half);
        return cores + share(cores * there, half);
    }
    /// Seconds of the way to the last idle rank, or from it, which is the rest of a pair. Above its
    /// core there are as many messages as the deepest core of a pair has levels above it. In each
    /// other step one more message waits, for `next(cost)` seconds. `bytes(n)`: of a message
    /// between a core and a subtree of `n` cores; `alone`: of one to an idle rank.
    template <class Bytes, class Next>
    [[nodiscard]] double to_idle(const Network& network, Bytes bytes, std::uint64_t alone,
                                 Next next) const {
        if (cores() == ranks_) return 0;
        CachedCosts costs(network);
        double seconds = costs.total(alone, 1);
        for (std::uint32_t step = 0; step < levels_; ++step) {
            const std::uint64_t power = std::uint64_t{1} << step;
            seconds +=
                step < depth_ ? costs.total(bytes(power), power) : next(costs(bytes(power), power));
        }
        return seconds;
    }

  private:
    /// The levels above the deepest of the first `cores` cores: 2 j - 1 from (4^j + 2) / 3 cores
    /// on, and 2 j with one more.
    [[nodiscard]] static std::uint32_t depth_of(std::uint64_t cores) {
        std::uint32_t depth = 0;
        for (std::uint64_t least = 2; cores >= least; least = 4 * least - 2)
            depth += cores > least ? 2 : 1;
        return depth;
    }

    std::uint64_t ranks_;
    std::uint32_t levels_;
    std::uint32_t depth_;
};

/// Down a Bine tree. `bytes(n)`: of a message to a child whose subtree has `n` cores; `alone`: of
/// one to an idle rank; `beside`: how many of these go beside the others on a shared interface.
template <class Bytes>
[[nodiscard]] double down_bine(const Network& network, const BineTree& tree, Bytes bytes,
                               std::uint64_t alone, std::uint64_t beside) {
    const double idle = tree.to_idle(network, bytes, alone, [](const MessageCost& cost) {
        return std::max(cost.send, cost.wire);
    });
    return std::max(idle, down_binomial(network, tree.cores(), bytes, 1, idle > 0 ? beside : 0));
}

/// Up a Bine tree, likewise. `receives`: whether messages are asked for ahead.
template <class Bytes>
[[nodiscard]] double up_bine(const Network& network, const BineTree& tree, Receives receives,
                             Bytes bytes, std::uint64_t alone) {
    const double idle = tree.to_idle(network, bytes, alone, [&](const MessageCost& cost) {
        if (cost.waits && receives == Receives::in_turn) return cost.awaited();
        return std::max(cost.receive, cost.wire);
    });
    return std::max(idle, up_binomial(network, tree.cores(), bytes));
}

}  // namespace lapwing::model

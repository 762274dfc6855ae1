#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "lapwing/pipeline/multi.hpp"
#include "lapwing/transport/memory.hpp"
#include "trials/grid_point.hpp"
#include "trials/many_ranks.hpp"

namespace lapwing::tools {

/// Rank 0 and all others, each of which has a part of its own of what rank 0 has: several end
/// points (Iancu and Strohmaier 2007, section 3.2). Rank 0 computes.
template <Transport T>
class MultiBase : public ManyRanksTrial {
  public:
    [[nodiscard]] std::vector<GridPoint> grid(std::uint64_t smallest) const override {
        return in_orders(uniform_grid({.volume = part_,
                                       .grain = grain_,
                                       .sequences = peers_.size(),
                                       .smallest = smallest,
                                       .bursts = bursts_}),
                         {PeerOrder::contiguous, PeerOrder::interleaved});
    }

  protected:
    /// `part`: bytes of each peer, whole doubles. `bursts`: whether cells are those of template E.
    MultiBase(RankGroup& group, T& transport, std::uint64_t part, std::uint64_t grain, bool bursts)
        : ManyRanksTrial(group, true),
          transport_(transport),
          part_(part),
          grain_(grain),
          bursts_(bursts),
          peers_(static_cast<std::size_t>(size() - 1)),
          memory_(memory_for(transport, first() ? part * peers_.size() : part)) {
        std::iota(peers_.begin(), peers_.end(), 1);
    }

    [[nodiscard]] double computed_bytes() const override {
        return static_cast<double>(part_) * static_cast<double>(peers_.size());
    }
    [[nodiscard]] T& transport() const { return transport_; }
    [[nodiscard]] std::uint64_t part() const { return part_; }
    [[nodiscard]] const std::vector<int>& peers() const { return peers_; }
    [[nodiscard]] auto& memory() { return memory_; }
    /// The messages with all peers, as rank 0 has them.
    [[nodiscard]] Sources<T, double> sources(PeerOrder order) {
        return {transport_, peers_, numbers(memory_), order};
    }

  private:
    T& transport_;
    std::uint64_t part_;
    std::uint64_t grain_;
    bool bursts_;
    std::vector<int> peers_;
    decltype(memory_for(std::declval<T&>(), 0)) memory_;  ///< what is sent, or received
};

}  // namespace lapwing::tools

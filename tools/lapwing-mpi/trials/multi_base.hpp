#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "lapwing/pipeline/multi.hpp"
#include "lapwing/plan/workload.hpp"
#include "lapwing/transport/memory.hpp"
#include "trials/grid_point.hpp"
#include "trials/many_ranks.hpp"

namespace lapwing::tools {

/// Several end points (Iancu and Strohmaier 2007, section 3.2): rank 0 computes, and exchanges with
/// each other rank another part of its data. What `MultiReceiveTrial` and `MultiSendTrial` share.
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
    /// `bursts`: whether the grid has bursts of template E, or windows of a pipeline.
    MultiBase(RankGroup& group, T& transport, const Workload& workload, bool bursts)
        : ManyRanksTrial(group, true),
          transport_(transport),
          part_(peer_volume(workload)),
          grain_(workload.grain),
          bursts_(bursts),
          peers_(static_cast<std::size_t>(size() - 1)),
          memory_(memory_for(transport, first() ? part_ * peers_.size() : part_)) {
        std::iota(peers_.begin(), peers_.end(), 1);
    }

    [[nodiscard]] double computed_bytes() const override {
        return static_cast<double>(part_) * static_cast<double>(peers_.size());
    }
    [[nodiscard]] T& transport() const { return transport_; }
    /// Bytes exchanged with each peer.
    [[nodiscard]] std::uint64_t part() const { return part_; }
    /// All ranks but rank 0.
    [[nodiscard]] const std::vector<int>& peers() const { return peers_; }
    [[nodiscard]] auto& memory() { return memory_; }
    /// The messages that rank 0 receives from all peers, in this order.
    [[nodiscard]] Sources<T, double> sources(PeerOrder order) {
        return {transport_, peers_, numbers(memory_), order};
    }

  private:
    T& transport_;
    std::uint64_t part_;
    std::uint64_t grain_;
    bool bursts_;
    std::vector<int> peers_;
    decltype(memory_for(std::declval<T&>(), 0)) memory_;  ///< what this rank sends or receives
};

}  // namespace lapwing::tools

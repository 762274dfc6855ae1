#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "lapwing/pipeline/collectives/alltoall_varying.hpp"
#include "lapwing/pipeline/unbounded_pipeline.hpp"
#include "lapwing/plan/workload.hpp"
#include "trials/alltoall_base.hpp"

namespace lapwing::tools {

/// As `AlltoallTrial`, but only the sender knows how much of a tile is for which rank. So it sends
/// sizes ahead of the data. The receiver appends arriving data to the earlier data of the sender.
class AlltoallvTrial final : public AlltoallBase {
  public:
    AlltoallvTrial(RankGroup& group, const Workload& workload)
        : AlltoallBase(group, workload),
          ranks_(group.communicator(), MPI_DOUBLE, sizeof(double)),
          next_(static_cast<std::size_t>(size())) {}

    double planned(const Plan& plan) override {
        return verified([&] {
            ElementSpans pieces(plan.messages);
            for (std::size_t from = 0; from < next_.size(); ++from) next_[from] = begin_of(from);
            unbounded_pipeline<ElementSpan>(
                plan.window, plan.poll_interval,
                [&](std::uint64_t, ElementSpan& span) {
                    if (!pieces.next(span)) return false;
                    produce(tile_of(span));
                    return true;
                },
                [&](const ElementSpan& span) {
                    const Tile tile = tile_of(span);
                    return ranks_.exchange(outgoing(), tile.parts());
                },
                [&](const ElementSpan&, AlltoallVarying::Request& request) {
                    consume(take(request));
                });
        });
    }

  private:
    /// Uneven tiles: for some ranks a tile already holds a few elements of the next one.
    [[nodiscard]] std::size_t elements_for(std::size_t other, std::uint64_t bytes) const override {
        constexpr std::size_t shifts = 4;
        constexpr std::size_t early = 8;
        if (bytes == 0) return 0;
        const std::size_t shift = (static_cast<std::size_t>(rank()) + 2 * other) % shifts;
        return std::min(part(bytes) + early * shift, part(volume()));
    }
    /// Copies what has arrived to its place; returns where that is.
    [[nodiscard]] Tile take(const AlltoallVarying::Request& request) {
        Tile tile{std::vector<std::size_t>(next_.size()), next_};
        for (std::size_t from = 0; from < next_.size(); ++from) {
            const std::span<const std::byte> bytes = request.arrived(static_cast<int>(from));
            if (!bytes.empty()) std::memcpy(incoming() + next_[from], bytes.data(), bytes.size());
            tile.counts[from] = bytes.size() / sizeof(double);
            next_[from] += tile.counts[from];
        }
        return tile;
    }

    AlltoallVarying ranks_;
    std::vector<std::size_t> next_;  ///< where the next data of each rank goes
};

}  // namespace lapwing::tools

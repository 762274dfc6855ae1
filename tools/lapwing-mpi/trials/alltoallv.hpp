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

/// The same as `AlltoallTrial`, but how much of a tile is for which rank only its sender knows:
/// sizes go ahead of the data, and what has arrived is put behind what came from there before.
class AlltoallvTrial final : public AlltoallBase {
  public:
    /// As `AlltoallBase` has them.
    AlltoallvTrial(RankGroup& group, std::uint64_t volume, std::uint64_t grain, Direction direction)
        : AlltoallBase(group, volume, grain, direction),
          ranks_(group.communicator(), MPI_DOUBLE, sizeof(double)),
          taken_(static_cast<std::size_t>(size())) {}

    double planned(const Plan& plan) override {
        return verified([&] {
            ElementSpans pieces(plan.messages);
            for (std::size_t from = 0; from < taken_.size(); ++from) taken_[from] = begin_of(from);
            unbounded_pipeline<ElementSpan>(
                plan.window, plan.poll_interval,
                [&](std::uint64_t, ElementSpan& span) {
                    if (!pieces.next(span)) return false;
                    produce(tile_of(span));
                    return true;
                },
                [&](const ElementSpan& span) {
                    const Tile tile = tile_of(span);
                    return ranks_.exchange(given(), tile.parts());
                },
                [&](const ElementSpan&, AlltoallVarying::Request& request) {
                    consume(take(request));
                });
        });
    }

  private:
    /// Some have some of the next tile for some ranks already.
    [[nodiscard]] std::size_t elements_for(std::size_t other, std::uint64_t bytes) const override {
        constexpr std::size_t manners = 4;
        constexpr std::size_t early = 8;
        if (bytes == 0) return 0;
        const std::size_t manner = (static_cast<std::size_t>(rank()) + 2 * other) % manners;
        return std::min(part(bytes) + early * manner, part(volume()));
    }
    /// Puts what has arrived in its place, and says where that is.
    [[nodiscard]] Tile take(const AlltoallVarying::Request& request) {
        Tile tile{std::vector<std::size_t>(taken_.size()), taken_};
        for (std::size_t from = 0; from < taken_.size(); ++from) {
            const std::span<const std::byte> bytes = request.arrived(static_cast<int>(from));
            if (!bytes.empty()) std::memcpy(arrived() + taken_[from], bytes.data(), bytes.size());
            tile.counts[from] = bytes.size() / sizeof(double);
            taken_[from] += tile.counts[from];
        }
        return tile;
    }

    AlltoallVarying ranks_;
    std::vector<std::size_t> taken_;  ///< where what comes next from each rank is to lie
};

}  // namespace lapwing::tools

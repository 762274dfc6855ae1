#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "lapwing/pipeline/open_pipeline.hpp"
#include "lapwing/plan/workload.hpp"
#include "lapwing/transport/collective/collective.hpp"
#include "tiles_trial.hpp"

namespace lapwing::tools {

/// Tiles of an all-to-all, each a non-blocking collective while the next is computed, or consumed
/// (Hoefler, Gottschling and Lumsdaine 2008).
class CollectiveTrial final : public TilesTrial {
  public:
    /// As `TilesTrial` has them.
    CollectiveTrial(RankGroup& group, std::uint64_t volume, std::uint64_t grain,
                    Direction direction)
        : TilesTrial(group, volume, grain, direction), ranks_(group.communicator()) {}

    double planned(const Plan& plan) override {
        return verified([&] {
            Pieces pieces(plan.messages);
            open_pipeline<Span>(
                plan.window, plan.poll_interval,
                [&](std::uint64_t, Span& span) {
                    if (!pieces.next(span)) return false;
                    produce(tile_of(span));
                    return true;
                },
                [&](const Span& span) {
                    const Tile tile = tile_of(span);
                    return ranks_.alltoallv(given(), tile.parts(), arrived(), tile.parts(),
                                            MPI_DOUBLE);
                },
                [&](const Span& span) { consume(tile_of(span)); });
        });
    }

  private:
    [[nodiscard]] std::size_t elements_for(std::size_t, std::uint64_t bytes) const override {
        return part(bytes);
    }

    Collective ranks_;
};

}  // namespace lapwing::tools

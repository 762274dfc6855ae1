#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "lapwing/pipeline/unbounded_pipeline.hpp"
#include "lapwing/plan/workload.hpp"
#include "lapwing/transport/collective/collective.hpp"
#include "trials/alltoall_base.hpp"

namespace lapwing::tools {

/// Tiles of an all-to-all, each sent by a non-blocking collective while the next tile is computed
/// (Hoefler, Gottschling and Lumsdaine 2008).
class AlltoallTrial final : public AlltoallBase {
  public:
    AlltoallTrial(RankGroup& group, const Workload& workload)
        : AlltoallBase(group, workload), ranks_(group.communicator()) {}

    double planned(const Plan& plan) override {
        return verified([&] {
            ElementSpans pieces(plan.messages);
            unbounded_pipeline<ElementSpan>(
                plan.window, plan.poll_interval,
                [&](std::uint64_t, ElementSpan& span) {
                    if (!pieces.next(span)) return false;
                    produce(tile_of(span));
                    return true;
                },
                [&](const ElementSpan& span) {
                    const Tile tile = tile_of(span);
                    return ranks_.alltoallv(outgoing(), tile.parts(), incoming(), tile.parts(),
                                            MPI_DOUBLE);
                },
                [&](const ElementSpan& span) { consume(tile_of(span)); });
        });
    }

  private:
    [[nodiscard]] std::size_t elements_for(std::size_t, std::uint64_t bytes) const override {
        return part(bytes);
    }

    Collective ranks_;
};

}  // namespace lapwing::tools

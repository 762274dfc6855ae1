#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "lapwing/gather/gather_partition.hpp"
#include "lapwing/gather/gather_plan.hpp"
#include "lapwing/pipeline/collectives/gather_varying.hpp"
#include "lapwing/pipeline/pipeline.hpp"
#include "lapwing/pipeline/trace/trace.hpp"
#include "lapwing/pipeline/unbounded_pipeline.hpp"

namespace lapwing {

/// Shares independent pieces of work among the ranks, and collects the results at one of them, in
/// order and of any size. Meanwhile the ranks work on later pieces. Parallel compression is such a
/// program (Hoefler, Gottschling, Lumsdaine 2008, section 2).
///
/// `work(piece, buffer)` appends the result of one piece, counted from 0, to a `Buffer`.
/// `use(results)` is called at the root of `gathers` alone: with the results of several pieces at
/// once, and in the end of all of them, in their order.
///
/// All ranks call it, with the same `pieces` (of all ranks together) and the same `how`, which is
/// made by `plan_gather` or `gather_with`. Throws `std::invalid_argument` where `how` is for fewer
/// pieces. `recorder`: a `Trace`, or nothing.
template <std::invocable<std::uint64_t, Buffer&> Work,
          std::invocable<std::span<const std::byte>> Use, Records Recorder = const NoTrace>
void collect(GatherVarying& gathers, std::uint64_t pieces, const GatherPlan& how, Work&& work,
             Use&& use, Recorder& recorder = no_trace) {
    GatherPartition partition(gathers.size(), how.root_share);
    auto tile = how.plan.messages.begin();
    unbounded_pipeline(
        how.plan.window, how.plan.poll_interval,
        [&](std::uint64_t, Buffer& buffer) {
            if (partition.assigned() == pieces) return false;
            if (tile == Messages::end())
                throw std::invalid_argument("collect: the plan is for fewer pieces");
            const IndexRange mine = partition.next_block(*tile, pieces, gathers.rank());
            ++tile;
            for (std::uint64_t piece = mine.first; piece < mine.first + mine.count; ++piece)
                work(piece, buffer);
            return true;
        },
        [&](Buffer& buffer) { return gathers.gather(buffer.data(), buffer.size()); },
        [&](Buffer&, GatherVarying::Request& request) { request.for_each_arrived(use); }, recorder);
}

}  // namespace lapwing

#pragma once

#include "lapwing/fft/simulated/rates.hpp"
#include "lapwing/fft/transform_problem.hpp"
#include "lapwing/simulate/costs/measured_machine.hpp"
#include "lapwing/simulate/program/graph.hpp"

namespace lapwing::fft {

/// A forward transform as a graph for the engine.
struct TransformSchedule {
    simulate::Graph graph;
    double lines = 0;  ///< seconds of transforming lines, on the rank that has most of them
};

/// Which ranks a graph has.
enum class RankSet {
    all,
    /// Two that represent all: each does with the other what it would do with any rank. For
    /// problems that are homogeneous, see `is_homogeneous`.
    representative_pair,
};

/// Records a forward transform, not in place. It runs the drivers of `Transform` and
/// `RealTransform` for each rank. Its transposes and channels only record their steps. `costs`: of
/// messages.
[[nodiscard]] TransformSchedule write_schedule(const TransformProblem& problem,
                                               const Options& options, const Rates& rates,
                                               const simulate::MeasuredMachine& costs,
                                               RankSet ranks = RankSet::all);

/// Whether all ranks do the same at the same time, each with its own neighbours. They do if the
/// array is distributed evenly, and if they do not all send to the same rank first. Let messages
/// share links fairly, and one switch connect all nodes. Then at any time as many messages leave a
/// rank as arrive at it. Each gets the same share of a link, and two ranks represent all.
[[nodiscard]] bool is_homogeneous(const TransformProblem& problem, const Options& options);

}  // namespace lapwing::fft

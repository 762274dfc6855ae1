#pragma once

#include "lapwing/fft/distribution/transpose_steps.hpp"
#include "lapwing/fft/forecast.hpp"
#include "lapwing/fft/simulated/rates.hpp"
#include "lapwing/simulate/costs/measured_machine.hpp"
#include "lapwing/simulate/program/graph.hpp"

namespace lapwing::fft {

/// A transform written out for the engine.
struct TransformSchedule {
    simulate::Graph graph;
    double lines = 0;  ///< seconds that the rank with most lines takes to transform them
};

[[nodiscard]] inline DistributedArray array_of(const TransformProblem& problem) {
    return {problem.size, problem.real ? RowTransform::real : RowTransform::complex,
            problem.element};
}

/// Whose programs are written.
enum class RankSet {
    all,                  ///< every rank's
    representative_pair,  ///< those of two that stand for all: each does with the other what it
                          ///< would with all
};

/// What every rank does in a forward transform: what `Transform` and `RealTransform` play, played
/// with computation and messages that are written down; see `simulate::GraphWriter`. `costs`: of
/// messages.
[[nodiscard]] TransformSchedule write_schedule(const TransformProblem& problem,
                                               const Options& options, const Rates& rates,
                                               const simulate::MeasuredMachine& costs,
                                               RankSet rank_set = RankSet::all);

/// Whether all ranks do the same at the same time, each with those around it: what they have is
/// dealt evenly, and they do not all begin with the same one. Where links are shared fairly and
/// nothing is between them but one switch, as many messages then leave every rank as arrive at it,
/// at any time, each gets the same share, and two ranks may stand for all.
[[nodiscard]] bool is_homogeneous(const TransformProblem& problem, const Options& options);

}  // namespace lapwing::fft

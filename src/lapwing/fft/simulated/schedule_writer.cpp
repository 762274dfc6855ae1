#include "lapwing/fft/simulated/schedule_writer.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "lapwing/fft/distribution/grid.hpp"
#include "lapwing/fft/distribution/transpose_steps.hpp"
#include "lapwing/fft/drivers/run_batch.hpp"
#include "lapwing/fft/phases.hpp"
#include "lapwing/fft/simulated/recorded_messages.hpp"
#include "lapwing/fft/simulated/recorded_puts.hpp"
#include "lapwing/fft/simulated/recorded_transpose.hpp"
#include "lapwing/simulate/program/graph_writer.hpp"

namespace lapwing::fft {
namespace {

/// All transposes of one rank; `arrays_in_flight`: channels.
template <class Channels>
void run_rank(const std::vector<TransposeStep>& steps, Channels& channels, std::size_t capacity,
              const TransformProblem& problem, const Options& options, const Rates& rates,
              GraphRecorder& recorder, double& lines) {
    // From one array to another, which the second transpose changes in place.
    const RecordedTranspose::Place out = capacity * options.batch;
    RecordedTranspose::Place in = 0;
    for (const TransposeStep& step : steps) {
        RecordedTranspose transpose(step, problem.element, rates, recorder.writer(), lines);
        recorder.begin_transpose();
        run_batch(
            transpose, [&](std::size_t lane) -> auto& { return channels[lane]; }, in, out, capacity,
            options, no_phases);
        in = out;
    }
}

}  // namespace

bool is_homogeneous(const TransformProblem& problem, const Options& options) {
    // All-to-alls begin with the first rank.
    if (options.transport == Transport::collective) return false;
    const Size spectrum = array_of(problem).spectrum();
    const Grid grid = grid_of(options, spectrum, problem.ranks);
    const auto even = [&](std::size_t axis, int parts) {
        return spectrum[axis] % static_cast<std::size_t>(parts) == 0;
    };
    return even(0, grid.rows) && even(1, grid.rows) && even(1, grid.columns) &&
           even(2, grid.columns);
}

TransformSchedule write_schedule(const TransformProblem& problem, const Options& asked,
                                 const Rates& rates, const simulate::MeasuredMachine& costs,
                                 RankSet rank_set) {
    Options options = asked;
    options.poll_interval = 0;  // messages of the engine move by themselves
    const DistributedArray array = array_of(problem);
    const Grid grid = grid_of(options, array.spectrum(), problem.ranks);
    const std::size_t capacity = grid.capacity(array.spectrum());
    TransformSchedule schedule;
    simulate::GraphWriter writer(schedule.graph, costs);
    const bool two = rank_set == RankSet::representative_pair;
    for (int role = 0; role < (two ? 2 : problem.ranks); ++role) {
        writer.begin_rank();
        const int rank = two ? 0 : role;
        GraphRecorder recorder = two ? GraphRecorder(writer, rank, problem.ranks, 1 - role)
                                     : GraphRecorder(writer, rank, problem.ranks);
        const auto steps = TransposeSteps(array, grid, rank, options).forward();
        double lines = 0;
        if (options.transport == Transport::collective) {
            std::array channels = {RecordedAllToAlls(recorder, rates)};
            run_rank(steps, channels, capacity, problem, options, rates, recorder, lines);
        } else if (options.transport == Transport::rma) {
            std::array channels = {RecordedPuts(recorder, rates), RecordedPuts(recorder, rates)};
            run_rank(steps, channels, capacity, problem, options, rates, recorder, lines);
        } else {
            std::array channels = {RecordedMessages(recorder), RecordedMessages(recorder)};
            run_rank(steps, channels, capacity, problem, options, rates, recorder, lines);
        }
        schedule.lines = std::max(schedule.lines, lines);
    }
    return schedule;
}

}  // namespace lapwing::fft

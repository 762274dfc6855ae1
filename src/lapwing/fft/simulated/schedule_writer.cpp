#include "lapwing/fft/simulated/schedule_writer.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "lapwing/fft/distribution/grid.hpp"
#include "lapwing/fft/distribution/transpose_steps.hpp"
#include "lapwing/fft/drivers/run_batch.hpp"
#include "lapwing/fft/phases.hpp"
#include "lapwing/fft/simulated/graph_recorder.hpp"
#include "lapwing/fft/simulated/recorded_all_to_alls.hpp"
#include "lapwing/fft/simulated/recorded_messages.hpp"
#include "lapwing/fft/simulated/recorded_puts.hpp"
#include "lapwing/fft/simulated/recorded_transpose.hpp"
#include "lapwing/simulate/program/graph_writer.hpp"

namespace lapwing::fft {
namespace {

/// Records a transform of one rank.
class TransformRecorder {
  public:
    TransformRecorder(const DistributedArray& array, const Grid& grid, const Options& options,
                      const Rates& rates)
        : array_(array),
          grid_(grid),
          options_(options),
          rates_(rates),
          capacity_(grid.capacity(array.spectrum())) {}

    /// Returns the seconds of `rank` that are spent on transforming lines.
    double record(int rank, GraphRecorder& recorder) const {
        if (options_.transport == Transport::collective) {
            std::array channels = {RecordedAllToAlls(recorder, rates_)};
            return run(rank, recorder, channels);
        }
        if (is_put(options_.transport)) {
            std::array channels = {RecordedPuts(recorder, rates_), RecordedPuts(recorder, rates_)};
            return run(rank, recorder, channels);
        }
        std::array channels = {RecordedMessages(recorder), RecordedMessages(recorder)};
        return run(rank, recorder, channels);
    }

  private:
    template <class Channels>
    double run(int rank, GraphRecorder& recorder, Channels& channels) const {
        double lines = 0;
        // The first transpose writes another array, which the following ones change in place.
        const RecordedTranspose::Place out = capacity_ * options_.batch;
        RecordedTranspose::Place in = 0;
        for (const TransposeStep& step : forward_steps(array_, grid_, rank, options_)) {
            RecordedTranspose transpose(step, array_.element, rates_, recorder.writer(), lines);
            recorder.begin_transpose();
            run_batch(
                transpose, [&](std::size_t i) -> auto& { return channels[i]; },
                {in, out, capacity_}, options_, no_phases);
            in = out;
        }
        return lines;
    }

    const DistributedArray& array_;
    const Grid& grid_;
    const Options& options_;
    const Rates& rates_;
    std::size_t capacity_;
};

}  // namespace

bool is_homogeneous(const TransformProblem& problem, const Options& options) {
    // All ranks of an all-to-all send to the first rank first.
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
                                 RankSet ranks) {
    Options options = asked;
    options.poll_interval = 0;  // the engine moves messages without polls
    const DistributedArray array = array_of(problem);
    const Grid grid = grid_of(options, array.spectrum(), problem.ranks);
    const TransformRecorder transform(array, grid, options, rates);
    TransformSchedule schedule;
    simulate::GraphWriter writer(schedule.graph, costs);
    const auto record = [&](int rank, GraphRecorder recorder) {
        writer.begin_rank();
        schedule.lines = std::max(schedule.lines, transform.record(rank, recorder));
    };
    if (ranks == RankSet::representative_pair) {
        for (const int other : {1, 0}) record(0, {writer, 0, problem.ranks, other});
    } else {
        for (int rank = 0; rank < problem.ranks; ++rank)
            record(rank, {writer, rank, problem.ranks});
    }
    return schedule;
}

}  // namespace lapwing::fft

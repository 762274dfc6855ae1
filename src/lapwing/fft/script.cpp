#include "lapwing/fft/script.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "lapwing/fft/grid.hpp"
#include "lapwing/fft/phases.hpp"
#include "lapwing/fft/play.hpp"
#include "lapwing/fft/steps.hpp"
#include "lapwing/fft/written_channel.hpp"
#include "lapwing/fft/written_puts.hpp"
#include "lapwing/fft/written_turn.hpp"
#include "lapwing/simulate/graph_writer.hpp"

namespace lapwing::fft {
namespace {

/// All turns of one rank; `lanes`: channels.
template <class Lanes>
void play_all(const std::vector<Step>& steps, Lanes& lanes, std::size_t capacity,
              const Shape& shape, const Options& options, const Rates& rates, Writing& writing,
              double& lines) {
    // From one array to another, which the second turn changes in place.
    const WrittenTurn::Place out = capacity * options.batch;
    WrittenTurn::Place in = 0;
    for (const Step& step : steps) {
        WrittenTurn turn(step, shape.element, rates, writing.writer(), lines);
        writing.begin_turn();
        play(
            turn, [&](std::size_t lane) -> auto& { return lanes[lane]; }, in, out, capacity,
            options, no_phases);
        in = out;
    }
}

}  // namespace

bool alike(const Shape& shape, const Options& options) {
    // All-to-alls begin with the first rank.
    if (options.transport == Transport::collective) return false;
    const Size spectrum = dealt_of(shape).spectrum();
    const Grid grid = grid_of(options, spectrum, shape.ranks);
    const auto even = [&](std::size_t axis, int parts) {
        return spectrum[axis] % static_cast<std::size_t>(parts) == 0;
    };
    return even(0, grid.rows) && even(1, grid.rows) && even(1, grid.columns) &&
           even(2, grid.columns);
}

Script write(const Shape& shape, const Options& asked, const Rates& rates,
             const simulate::Measured& costs, Cast cast) {
    Options options = asked;
    options.poll_interval = 0;  // messages of the engine move by themselves
    const Dealt dealt = dealt_of(shape);
    const Grid grid = grid_of(options, dealt.spectrum(), shape.ranks);
    const std::size_t capacity = grid.capacity(dealt.spectrum());
    Script script;
    simulate::GraphWriter writer(script.graph, costs);
    const bool two = cast == Cast::two;
    for (int role = 0; role < (two ? 2 : shape.ranks); ++role) {
        writer.begin_rank();
        const int rank = two ? 0 : role;
        Writing writing =
            two ? Writing(writer, rank, shape.ranks, 1 - role) : Writing(writer, rank, shape.ranks);
        const auto steps = Steps(dealt, grid, rank, options).forward();
        double lines = 0;
        if (options.transport == Transport::collective) {
            std::array lanes = {WrittenAllToAlls(writing, rates)};
            play_all(steps, lanes, capacity, shape, options, rates, writing, lines);
        } else if (options.transport == Transport::rma) {
            std::array lanes = {WrittenPuts(writing, rates), WrittenPuts(writing, rates)};
            play_all(steps, lanes, capacity, shape, options, rates, writing, lines);
        } else {
            std::array lanes = {WrittenMessages(writing), WrittenMessages(writing)};
            play_all(steps, lanes, capacity, shape, options, rates, writing, lines);
        }
        script.lines = std::max(script.lines, lines);
    }
    return script;
}

}  // namespace lapwing::fft

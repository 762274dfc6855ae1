#include "lapwing/fft/forecast.hpp"

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>

#include "lapwing/fft/distribution/grid.hpp"
#include "lapwing/fft/distribution/transpose_steps.hpp"
#include "lapwing/fft/distribution/validate.hpp"
#include "lapwing/fft/simulated/forecast_evaluator.hpp"
#include "lapwing/fft/simulated/put_costs.hpp"
#include "lapwing/fft/simulated/search_settings.hpp"
#include "lapwing/fft/simulated/shortlist.hpp"
#include "lapwing/model/packing.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing::fft {
namespace {

/// The options that do not depend on how data is sent.
Options fixed_options(const Options& wanted) {
    Options options;
    options.order = wanted.order;
    options.effort = wanted.effort;
    options.poll_interval = wanted.poll_interval;
    options.decomposition = wanted.decomposition;
    options.grid = wanted.grid;
    options.batch = wanted.batch;
    return options;
}

/// Elements between two planes of a block. Planes of whole pages begin at the same place of a page
/// and evict each other from the caches, unless a cache line separates them (Cameron, Ge, Sun 2007,
/// section 4.3.4).
std::size_t padding_of(const TransposeStep& step, std::size_t element) {
    constexpr std::size_t page = 4096;
    constexpr std::size_t cache_line = 64;
    const std::size_t plane = step.route.plane(step.member);
    return plane > 0 && plane % page == 0 ? cache_line / element : 0;
}

/// Copying is simpler than other packings, which must save something.
double seconds_by_packing(const Forecast& way) {
    return way.seconds * (way.options.packing == Packing::copy ? 1 - least_gain : 1);
}

double seconds_by_transport(const Forecast& way) {
    return way.seconds * (is_put(way.options.transport) ? 1 + put_doubt : 1);
}

/// `packings` of the public interface. `options`: an exchange.
std::vector<Forecast> packings(const ForecastEvaluator& evaluator, Options options) {
    Shortlist all(evaluator, seconds_by_packing);
    const auto add = [&](Packing packing) {
        options.packing = packing;
        FastestWay way(evaluator);
        way.offer(options);
        if (way.get()) all.add(*way.get());
    };
    add(Packing::copy);
    if (find_strided_costs(evaluator.profile()) == nullptr) return all.ways();
    if (options.transport == Transport::collective) add(Packing::derived);
    const TransposeStep first = evaluator.first_step(options);
    FastestWay blocked(evaluator);
    options.packing = Packing::blocked;
    options.padding = padding_of(first, evaluator.problem().element);
    for (options.block = 1; options.block < first.route.most_planes(); options.block *= 2)
        blocked.offer(options);
    if (blocked.get()) all.add(*blocked.get());
    return all.sorted();
}

/// The fastest strips, tile and window of a schedule that is no exchange.
std::optional<Forecast> fastest_of(const ForecastEvaluator& evaluator, Options options,
                                   const Shortlist& others) {
    FastestWay fastest(evaluator);
    if (options.schedule == Schedule::strips || options.schedule == Schedule::tails) {
        for (options.strips = 2; options.strips <= 16; options.strips *= 2) fastest.offer(options);
    } else {
        fastest.offer(options);
    }
    if (options.schedule == Schedule::tiled) {
        const std::size_t planes = evaluator.first_step(options).route.most_planes();
        for (options.tile = 2; options.tile <= planes; options.tile *= 2) fastest.offer(options);
    }
    // A window saves little, and cannot help a way that is far behind.
    if (!fastest.get() || !others.is_contender(fastest.get()->seconds)) return fastest.get();
    options = fastest.get()->options;
    for (const int window : {3, 4, 8, 16, 64}) {
        options.window = window;
        fastest.offer(options);
    }
    return fastest.get();
}

}  // namespace

Forecast forecast(const Profile& profile, const TransformProblem& problem, const Options& options) {
    require_valid(options, problem.ranks);
    const ForecastEvaluator evaluator(profile, problem);
    if (evaluator.operations(options) > max_operations)
        throw std::invalid_argument(std::string("fft: ") + name(options.schedule) +
                                    " of this size are more messages than can be simulated");
    return *evaluator.evaluate(options);
}

std::vector<Forecast> packings(const Profile& profile, const TransformProblem& problem,
                               const Options& options) {
    Options exchange = fixed_options(options);
    exchange.schedule = Schedule::exchange;
    exchange.transport = options.transport;
    require_valid(exchange, problem.ranks);
    return packings(ForecastEvaluator(profile, problem), exchange);
}

Packing packing_by_loggp(const Profile& profile, const TransformProblem& problem,
                         const Options& options) {
    const DistributedArray array = array_of(problem);
    const Grid grid = grid_of(options, array.spectrum(), problem.ranks);
    const TransposeStep first = forward_steps(array, grid, 0, fixed_options(options)).front();
    const Log3P* const costs = find_strided_costs(profile);
    if (options.transport != Transport::collective || costs == nullptr) return Packing::copy;
    const int other = problem.ranks > 1 ? 1 : 0;
    const auto part = static_cast<double>(first.route.part(first.member, other));
    const auto plane = static_cast<double>(first.route.plane(first.member));
    const auto planes = static_cast<double>(first.route.planes(first.member));
    const double apart = model::element_stride(*costs, part, plane);
    const bool pack = model::packing_by_loggp(*costs, planes * part, apart).pack();
    return pack ? Packing::copy : Packing::derived;
}

std::vector<Forecast> forecasts(const Profile& profile, const TransformProblem& problem,
                                const Options& wanted) {
    require_valid(fixed_options(wanted), problem.ranks);
    const ForecastEvaluator evaluator(profile, problem);
    Shortlist all(evaluator, seconds_by_transport);
    for (const auto schedule : {Schedule::exchange, Schedule::slabs, Schedule::tiled,
                                Schedule::tails, Schedule::strips, Schedule::pencils})
        for (const auto transport : {Transport::two_sided, Transport::collective, Transport::rma}) {
            if (!fits(schedule, transport)) continue;
            if (transport == Transport::rma && find_put(profile, transport) == nullptr) continue;
            Options options = fixed_options(wanted);
            options.schedule = schedule;
            options.transport = transport;
            if (schedule == Schedule::exchange) {
                const auto packed = packings(evaluator, options);
                if (!packed.empty()) all.add(packed.front());
            } else if (const auto way = fastest_of(evaluator, options, all)) {
                all.add(*way);
            }
        }
    return all.sorted();
}

}  // namespace lapwing::fft

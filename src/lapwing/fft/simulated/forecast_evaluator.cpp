#include "lapwing/fft/simulated/forecast_evaluator.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "lapwing/fft/distribution/grid.hpp"
#include "lapwing/fft/distribution/message_count.hpp"
#include "lapwing/fft/distribution/validate.hpp"
#include "lapwing/fft/simulated/put_costs.hpp"
#include "lapwing/fft/simulated/search_settings.hpp"
#include "lapwing/model/computation.hpp"
#include "lapwing/model/progress_overhead.hpp"
#include "lapwing/profile/table.hpp"
#include "lapwing/simulate/program/lower_bound.hpp"
#include "lapwing/simulate/simulate.hpp"

namespace lapwing::fft {
namespace {

constexpr double ticks_per_second = 1e9 * simulate::MeasuredMachine::nanosecond;

double rate(const Profile& profile, const char* kernel) {
    if (const auto seconds = model::computation(profile, kernel)) return 1 / *seconds;
    throw std::invalid_argument(std::string("the profile does not say what the kernel \"") +
                                kernel +
                                "\" costs: lapwing calibrate measures it in its part kernels");
}

const TransformProblem& checked(const TransformProblem& problem) {
    if (problem.ranks < 1 || problem.ranks_per_node < 1 || problem.element == 0)
        throw std::invalid_argument("fft: a transform takes at least one rank");
    require_addressable(problem.size, problem.element);
    return problem;
}

double elements(const TransformProblem& problem) {
    double product = 1;
    for (const std::size_t length : array_of(problem).spectrum())
        product *= static_cast<double>(length);
    return product;
}

/// A problem in which every rank has as much as the rank with most has in `problem`.
TransformProblem homogenised(const TransformProblem& problem, const Grid& grid) {
    const auto up = [](std::size_t length, int parts) {
        const auto whole = static_cast<std::size_t>(parts);
        return (length + whole - 1) / whole * whole;
    };
    TransformProblem result = problem;
    result.size[0] = up(problem.size[0], grid.rows);
    result.size[1] = up(problem.size[1], std::lcm(grid.rows, grid.columns));
    const std::size_t last = array_of(problem).spectrum()[2];
    const std::size_t more = up(last, grid.columns) - last;
    result.size[2] += problem.real ? 2 * more : more;
    return result;
}

/// The options with `grid` instead of the one that they would choose.
Options on_grid(Options options, const Grid& grid) {
    options.decomposition = grid.columns > 1 ? Decomposition::grid : Decomposition::planes;
    if (grid.columns > 1) options.grid = {grid.rows, grid.columns};
    return options;
}

}  // namespace

ForecastEvaluator::ForecastEvaluator(const Profile& profile, const TransformProblem& problem)
    : profile_(profile),
      problem_(checked(problem)),
      rates_{.fft = rate(profile, "fft"),
             .copy = rate(profile, "copy"),
             .put_completion = {},
             .log3p = find_strided_costs(profile)} {}

std::optional<Forecast> ForecastEvaluator::evaluate(const Options& options, double limit) const {
    const bool pair = shares_links(options) && is_homogeneous(problem_, options);
    return run(problem_, options, pair ? RankSet::representative_pair : RankSet::all, limit);
}

std::optional<Forecast> ForecastEvaluator::estimate(const Options& options, double limit) const {
    if (estimates_exactly(options)) return evaluate(options, limit);
    const Grid same = grid(options);
    auto found = run(homogenised(problem_, same), on_grid(options, same),
                     RankSet::representative_pair, limit);
    if (found) found->options = options;
    return found;
}

bool ForecastEvaluator::estimates_exactly(const Options& options) const {
    return is_homogeneous(problem_, options) || !shares_links(options) ||
           elements(homogenised(problem_, grid(options))) > max_imbalance * elements(problem_);
}

double ForecastEvaluator::operations(const Options& options) const {
    // The last rank sends as many messages as any.
    const auto last = steps(options, problem_.ranks - 1);
    const auto sent = message_count(last, options, Targets::all);
    std::size_t packed = 0;
    if (!overlaps(options.schedule))
        for (const TransposeStep& step : last)
            packed += step.route.planes(step.member) *
                      static_cast<std::size_t>(step.route.ranks()) * options.batch;
    return static_cast<double>(sent + packed) * problem_.ranks;
}

TransposeStep ForecastEvaluator::first_step(const Options& options) const {
    return steps(options, 0).front();
}

Grid ForecastEvaluator::grid(const Options& options) const {
    return grid_of(options, array_of(problem_).spectrum(), problem_.ranks);
}

std::vector<TransposeStep> ForecastEvaluator::steps(const Options& options, int rank) const {
    return forward_steps(array_of(problem_), grid(options), rank, options);
}

simulate::MeasuredMachine ForecastEvaluator::machine(const Options& options,
                                                     bool charge_receive_overhead) const {
    if (options.packing == Packing::derived) (void)strided_costs(profile_);  // throws without them
    const simulate::MeasuredMachine::Options machine = {
        .ranks_per_node = static_cast<simulate::Rank>(problem_.ranks_per_node),
        .topology = {},
        .stride = {},
        .charge_receive_overhead = charge_receive_overhead};
    auto tables = simulate::MeasuredMachine::tables_from(profile_, machine);
    if (is_put(options.transport))
        tables.between_nodes = simulate::tables_of(link_of_puts(profile_, options.transport));
    return {std::move(tables), machine};
}

/// Whether messages share links, and only links: one switch connects all nodes of one rank each.
bool ForecastEvaluator::shares_links(const Options& options) const {
    const simulate::MeasuredMachine costs = machine(options, true);
    return costs.nic() == Nic::sharing && costs.topology().flat() && problem_.ranks_per_node == 1 &&
           problem_.ranks > 2;
}

/// Those of the puts, if there are any; lower rates if messages that are in flight during
/// computation steal time of its processor.
Rates ForecastEvaluator::rates(const Options& options) const {
    Rates result = rates_;
    if (is_put(options.transport))
        result.put_completion = put_completion(profile_, options.transport);
    const double O = profile_.progress.O_both;
    if (!(O > 0) || !overlaps(options.schedule) || problem_.ranks < 2) return result;
    const Grid grid = this->grid(options);
    const double all = elements(problem_);
    const double mine = all / problem_.ranks;
    const double compute = 5 * mine * std::log2(all) / rates_.fft;
    const double leaves = 2 - 1.0 / grid.rows - 1.0 / grid.columns;
    const double bytes = leaves * mine * static_cast<double>(problem_.element);
    const double G = std::max(profile_.loggp.G, two_way_gap(profile_));
    const double longer = 1 + model::progress_overhead(compute, bytes, G, O) / compute;
    result.fft /= longer;
    result.copy /= longer;
    return result;
}

std::optional<Forecast> ForecastEvaluator::run(const TransformProblem& problem,
                                               const Options& options, RankSet ranks,
                                               double limit) const {
    const TransformSchedule schedule =
        write_schedule(problem, options, rates(options), machine(options, true), ranks);
    // Receive overheads are calculations of the schedule, at the moment a rank waits.
    const simulate::MeasuredMachine costs = machine(options, false);
    const double last = limit * ticks_per_second;
    if (static_cast<double>(simulate::lower_bound_ticks(schedule.graph, costs)) > last)
        return std::nullopt;
    const auto finish = static_cast<double>(simulate::simulate(schedule.graph, costs).finish);
    if (finish > last) return std::nullopt;
    return Forecast{options, finish / ticks_per_second, schedule.lines};
}

}  // namespace lapwing::fft

#include "lapwing/fft/forecast.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>

#include "lapwing/fft/distribution/grid.hpp"
#include "lapwing/fft/distribution/transpose_steps.hpp"
#include "lapwing/fft/distribution/validate.hpp"
#include "lapwing/fft/simulated/rates.hpp"
#include "lapwing/fft/simulated/schedule_writer.hpp"
#include "lapwing/model/computation.hpp"
#include "lapwing/model/packing.hpp"
#include "lapwing/model/taken.hpp"
#include "lapwing/profile/find_operation.hpp"
#include "lapwing/profile/table.hpp"
#include "lapwing/simulate/costs/measured_machine.hpp"
#include "lapwing/simulate/engine/observer.hpp"
#include "lapwing/simulate/program/lower_bound.hpp"
#include "lapwing/simulate/simulate.hpp"

namespace lapwing::fft {
namespace {

/// What the engine plays within a second or two; when one asks for many ways, and for one.
constexpr double most_played_each = 1e6;
constexpr double most_played = 4e6;

/// A wider window, a larger tile or another schedule must save this share of the time.
constexpr double worthwhile = 1e-3;

/// So many times as long as another way, a way is not looked at any closer.
constexpr double prune_factor = 1.1;

/// Messages, times pairs of ranks, that the engine plays within a second or two where links are
/// shared.
constexpr double most_sharing = 2e7;

/// Ranks are nearly alike that have this many times as much at most when all have as much.
constexpr double nearly_even = 1.25;

/// What a put costs is measured between two ranks; what many cost that go to one target, nowhere.
/// They must save this share of the time.
constexpr double doubt = 0.02;

/// Seconds, by which ways are compared.
double penalised_seconds(const Forecast& made) {
    return made.seconds * (made.options.transport == Transport::rma ? 1 + doubt : 1);
}

double rate(const Profile& profile, const char* kernel) {
    if (const auto seconds = model::computation(profile, kernel)) return 1 / *seconds;
    throw std::invalid_argument(std::string("the profile does not say what the kernel \"") +
                                kernel +
                                "\" costs: lapwing calibrate measures it in its part kernels");
}

const OperationCosts* find_put(const Profile& profile) {
    return find_operation(profile, "rma", "put");
}

/// The machine as puts see it: they take their target's processor nothing, wait for nobody, and are
/// complete when they have arrived.
Profile one_sided(const Profile& profile) {
    const OperationCosts* const put = find_put(profile);
    if (put == nullptr)
        throw std::invalid_argument(
            "the profile does not say what puts cost: lapwing calibrate measures it in its part "
            "operations");
    Profile result = profile;
    result.overhead = {.sizes = put->sizes,
                       .bursts = {1},
                       .send = {},
                       .receive = std::vector<double>(put->sizes.size())};
    for (const auto& by_burst : put->overhead) result.overhead.send.push_back({by_burst.front()});
    result.loggp.o_s = put->overhead.front().front();
    result.loggp.o_r = 0;
    if (!result.protocol) result.protocol = Protocol{};
    result.protocol->eager = std::nullopt;
    result.protocol->buffered = 0;
    return result;
}

/// What a put takes its initiator's processor beyond its initiation: what each of a long train
/// takes tells.
Line completing(const Profile& profile) {
    const OperationCosts* const put = find_put(profile);
    if (put == nullptr || put->asymptotic.empty()) return {};
    std::vector<double> seconds;
    for (std::size_t i = 0; i < put->sizes.size(); ++i)
        seconds.push_back(std::max(0.0, put->asymptotic[i] - put->overhead[i].front()));
    return fit_line(put->sizes, seconds, static_cast<double>(put->sizes.back()));
}

/// Ticks of a second.
constexpr double ticks = 1e9 * simulate::MeasuredMachine::nanosecond;
constexpr double never = std::numeric_limits<double>::infinity();

/// Ends what takes longer than anybody wants to know.
class Deadline final : public simulate::Observer {
  public:
    class Missed : public std::exception {};

    explicit Deadline(double time) : time_(time) {}
    void interval(const simulate::Interval& interval) override {
        if (static_cast<double>(interval.end) > time_) throw Missed();
    }

  private:
    double time_;
};

double elements(const TransformProblem& problem) {
    double product = 1;
    for (const std::size_t length : array_of(problem).spectrum())
        product *= static_cast<double>(length);
    return product;
}

/// An array of which all ranks have as much as that one has of `shape` that has most.
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

/// The same on no other grid.
Options on_grid(Options options, const Grid& grid) {
    options.decomposition = grid.columns > 1 ? Decomposition::grid : Decomposition::planes;
    if (grid.columns > 1) options.grid = {grid.rows, grid.columns};
    return options;
}

/// Plays transforms of one shape on one machine.
class ForecastEvaluator {
  public:
    ForecastEvaluator(const Profile& profile, const TransformProblem& problem)
        : profile_(profile),
          problem_(checked(problem)),
          rates_{.fft = rate(profile, "fft"),
                 .copy = rate(profile, "copy"),
                 .completing = completing(profile),
                 .log3p = find_strided_costs(profile)} {}

    /// Nothing if it takes longer than `within` seconds.
    [[nodiscard]] std::optional<Forecast> operator()(const Options& options,
                                                     double within = never) const {
        const bool two = shares(costs_of(options)) && is_homogeneous(problem_, options);
        return play(problem_, options, options, two ? RankSet::representative_pair : RankSet::all,
                    within);
    }
    /// The same, but all ranks are taken to be alike where they nearly are.
    [[nodiscard]] std::optional<Forecast> roughly(const Options& options, double within) const {
        if (exact(options)) return (*this)(options, within);
        const Grid grid = grid_of(options, array_of(problem_).spectrum(), problem_.ranks);
        return play(homogenised(problem_, grid), on_grid(options, grid), options,
                    RankSet::representative_pair, within);
    }
    /// Whether `roughly` is as good as any other way.
    [[nodiscard]] bool exact(const Options& options) const {
        const Grid grid = grid_of(options, array_of(problem_).spectrum(), problem_.ranks);
        return is_homogeneous(problem_, options) || !shares(costs_of(options)) ||
               elements(homogenised(problem_, grid)) > nearly_even * elements(problem_);
    }

    [[nodiscard]] bool knows_packing() const { return rates_.log3p != nullptr; }

  private:
    /// `charge_receive_overhead`: see `MeasuredMachine::Options`.
    [[nodiscard]] simulate::MeasuredMachine costs_of(const Options& options,
                                                     bool charge_receive_overhead = true) const {
        if (options.packing == Packing::derived) (void)strided_costs(profile_);  // or it is refused
        const Profile& seen = options.transport == Transport::rma ? one_sided_once() : profile_;
        return {seen,
                {.ranks_per_node = static_cast<simulate::Rank>(problem_.ranks_per_node),
                 .topology = {},
                 .stride = {},
                 .charge_receive_overhead = charge_receive_overhead}};
    }
    /// Slower where messages are on their way while a rank computes, and the system takes its
    /// processor for them.
    [[nodiscard]] Rates rates_of(const Options& options) const {
        const double O = profile_.progress.O_both;
        if (!(O > 0) || !overlaps(options.schedule) || problem_.ranks < 2) return rates_;
        const Grid grid = grid_of(options, array_of(problem_).spectrum(), problem_.ranks);
        const double all = elements(problem_);
        const double mine = all / problem_.ranks;
        const double compute = 5 * mine * std::log2(all) / rates_.fft;
        const double leaves = 2 - 1.0 / grid.rows - 1.0 / grid.columns;
        const double bytes = leaves * mine * static_cast<double>(problem_.element);
        const double G = std::max(profile_.loggp.G, gap_both_ways(profile_));
        const double longer = 1 + model::taken(compute, bytes, G, O) / compute;
        Rates slower = rates_;
        slower.fft /= longer;
        slower.copy /= longer;
        return slower;
    }
    /// What `options` come to where `shape` is transformed as `played` says.
    [[nodiscard]] std::optional<Forecast> play(const TransformProblem& problem,
                                               const Options& played, const Options& options,
                                               RankSet rank_set, double within) const {
        const TransformSchedule schedule =
            write_schedule(problem, played, rates_of(options), costs_of(options), rank_set);
        const simulate::MeasuredMachine machine = costs_of(options, false);
        if (static_cast<double>(simulate::lower_bound_ticks(schedule.graph, machine)) >
            within * ticks)
            return std::nullopt;
        Deadline deadline(within * ticks);
        try {
            const auto finish = simulate::simulate(schedule.graph, machine, &deadline).finish;
            return Forecast{options, static_cast<double>(finish) / ticks, schedule.lines};
        } catch (const Deadline::Missed&) {
            return std::nullopt;
        }
    }
    /// Whether nothing is between ranks but links that all messages share.
    [[nodiscard]] bool shares(const simulate::MeasuredMachine& costs) const {
        return costs.nic() == Nic::sharing && costs.topology().flat() &&
               problem_.ranks_per_node == 1 && problem_.ranks > 2;
    }
    static const TransformProblem& checked(const TransformProblem& problem) {
        if (problem.ranks < 1 || problem.ranks_per_node < 1 || problem.element == 0)
            throw std::invalid_argument("fft: a transform takes at least one rank");
        require_addressable(problem.size, problem.element);
        return problem;
    }
    const Profile& one_sided_once() const {
        if (!one_sided_) one_sided_ = one_sided(profile_);
        return *one_sided_;
    }

    const Profile& profile_;
    TransformProblem problem_;
    Rates rates_;
    mutable std::optional<Profile> one_sided_;
};

/// What `rank` does in a forward transform.
std::vector<TransposeStep> steps_of(const TransformProblem& problem, const Options& options,
                                    int rank) {
    const DistributedArray array = array_of(problem);
    const Grid grid = grid_of(options, array.spectrum(), problem.ranks);
    return TransposeSteps(array, grid, rank, options).forward();
}

/// What the engine plays: messages of all ranks in a transform, of which the last sends as many as
/// any, and, where these are whole arrays, the parts of planes that are packed.
double operations(const TransformProblem& problem, const Options& options) {
    const auto steps = steps_of(problem, options, problem.ranks - 1);
    const auto sent = message_count(steps, options, [](int, int) { return true; });
    std::size_t packed = 0;
    if (!overlaps(options.schedule))
        for (const TransposeStep& step : steps)
            packed += step.route.planes(step.member) *
                      static_cast<std::size_t>(step.route.ranks()) * options.batch;
    return static_cast<double>(sent + packed) * problem.ranks;
}

/// What of one transform does not depend on how it is sent.
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

/// Planes that begin at the same place of a page drive each other out of the caches, unless there
/// is a cache line between them (Cameron, Ge, Sun 2007, section 4.3.4).
std::size_t padding_of(const TransformProblem& problem, const TransposeStep& step) {
    constexpr std::size_t page = 4096;
    constexpr std::size_t cache_line = 64;
    const std::size_t plane = step.route.plane(step.member);
    return plane > 0 && plane % page == 0 ? cache_line / problem.element : 0;
}

/// The fastest of some ways, each of which must pay: as far as can be found out roughly.
class Best {
  public:
    Best(const ForecastEvaluator& play, const TransformProblem& problem)
        : play_(play), problem_(problem) {}

    void offer(const Options& options) {
        if (operations(problem_, options) > most_played_each) return;
        double within = never;
        if (best_) within = (1 - worthwhile) * best_->seconds;
        if (const auto made = play_.roughly(options, within)) best_ = made;
    }
    [[nodiscard]] const std::optional<Forecast>& get() const { return best_; }

  private:
    const ForecastEvaluator& play_;
    const TransformProblem& problem_;
    std::optional<Forecast> best_;
};

/// What was found out roughly as `forecast` has it: of all that may yet turn out to be fastest, as
/// many as can be played soon, and the first in any case. They are sorted by `counted`.
template <class Counted>
void make_exact(const ForecastEvaluator& play, const TransformProblem& problem,
                std::vector<Forecast>& all, const Counted& counted) {
    const auto sort = [&] {
        std::stable_sort(all.begin(), all.end(), [&](const Forecast& a, const Forecast& b) {
            return counted(a) < counted(b);
        });
    };
    sort();
    double room = most_sharing;
    for (Forecast& made : all) {
        if (play.exact(made.options)) continue;
        // Each message may change what any other gets of its links.
        const double work = operations(problem, made.options) * problem.ranks * problem.ranks;
        const bool first = &made == all.data();
        if (!first && (work > room || counted(made) > prune_factor * counted(all.front())))
            continue;
        room -= work;
        made = *play(made.options);
    }
    sort();
}

}  // namespace

Forecast forecast(const Profile& profile, const TransformProblem& problem, const Options& options) {
    require_valid(options, problem.ranks);
    const ForecastEvaluator play(profile, problem);
    if (operations(problem, options) > most_played)
        throw std::invalid_argument(std::string("fft: ") + name(options.schedule) +
                                    " of this size are more messages than can be played");
    return *play(options);
}

namespace {

/// See `packings`.
std::vector<Forecast> packings(const ForecastEvaluator& play, const TransformProblem& problem,
                               Options options) {
    std::vector<Forecast> all;
    const auto add = [&](const Best& best) {
        if (best.get()) all.push_back(*best.get());
    };
    Best copied(play, problem);
    options.packing = Packing::copy;
    copied.offer(options);
    add(copied);
    if (!play.knows_packing()) return all;
    if (options.transport == Transport::collective) {
        Best typed(play, problem);
        options.packing = Packing::derived;
        typed.offer(options);
        add(typed);
    }
    const TransposeStep first = steps_of(problem, options, 0).front();
    Best blocked(play, problem);
    options.packing = Packing::blocked;
    options.padding = padding_of(problem, first);
    for (options.block = 1; options.block < first.route.most_planes(); options.block *= 2)
        blocked.offer(options);
    add(blocked);
    make_exact(play, problem, all, [](const Forecast& made) {
        return made.seconds * (made.options.packing == Packing::copy ? 1 - worthwhile : 1);
    });
    return all;
}

}  // namespace

std::vector<Forecast> packings(const Profile& profile, const TransformProblem& problem,
                               const Options& options) {
    Options exchange = fixed_options(options);
    exchange.schedule = Schedule::exchange;
    exchange.transport = options.transport;
    require_valid(exchange, problem.ranks);
    return packings(ForecastEvaluator(profile, problem), problem, exchange);
}

Packing packing_by_loggp(const Profile& profile, const TransformProblem& problem,
                         const Options& options) {
    const TransposeStep first = steps_of(problem, fixed_options(options), 0).front();
    const Log3P* const costs = find_strided_costs(profile);
    if (options.transport != Transport::collective || costs == nullptr) return Packing::copy;
    const int other = problem.ranks > 1 ? 1 : 0;
    const auto part = static_cast<double>(first.route.part(first.member, other));
    const auto plane = static_cast<double>(first.route.plane(first.member));
    const auto planes = static_cast<double>(first.route.planes(first.member));
    const double apart = model::apart(*costs, part, plane);
    const bool pack = model::packing_by_loggp(*costs, planes * part, apart).pack();
    return pack ? Packing::copy : Packing::derived;
}

std::vector<Forecast> forecasts(const Profile& profile, const TransformProblem& problem,
                                const Options& wanted) {
    require_valid(fixed_options(wanted), problem.ranks);
    const ForecastEvaluator play(profile, problem);
    std::vector<Forecast> all;
    const auto with = [&](Schedule schedule, Transport transport) {
        if (!fits(schedule, transport)) return;
        if (transport == Transport::rma && find_put(profile) == nullptr) return;
        Options options = fixed_options(wanted);
        options.schedule = schedule;
        options.transport = transport;
        if (schedule == Schedule::exchange) {
            const auto packed = packings(play, problem, options);
            if (!packed.empty()) all.push_back(packed.front());
            return;
        }
        Best best(play, problem);
        if (schedule == Schedule::strips || schedule == Schedule::tails) {
            for (options.strips = 2; options.strips <= 16; options.strips *= 2) best.offer(options);
        } else {
            best.offer(options);
        }
        if (schedule == Schedule::tiled) {
            const std::size_t planes = steps_of(problem, options, 0).front().route.most_planes();
            for (options.tile = 2; options.tile <= planes; options.tile *= 2) best.offer(options);
        }
        if (!best.get()) return;
        // A window saves little: not what is far behind anyway.
        const bool near = std::all_of(all.begin(), all.end(), [&](const Forecast& other) {
            return best.get()->seconds < prune_factor * other.seconds;
        });
        if (near) {
            options = best.get()->options;
            for (const int window : {3, 4, 8, 16, 64}) {
                options.window = window;
                best.offer(options);
            }
        }
        all.push_back(*best.get());
    };
    for (const auto schedule : {Schedule::exchange, Schedule::slabs, Schedule::tiled,
                                Schedule::tails, Schedule::strips, Schedule::pencils})
        for (const auto transport : {Transport::two_sided, Transport::collective, Transport::rma})
            with(schedule, transport);
    make_exact(play, problem, all, penalised_seconds);
    return all;
}

}  // namespace lapwing::fft

#include "lapwing/plan/iancu2007/planner.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

#include "lapwing/model/overlap.hpp"
#include "lapwing/plan/costs/workload_costs.hpp"
#include "lapwing/plan/evaluate/reference_times.hpp"
#include "lapwing/plan/explain/explain.hpp"
#include "lapwing/plan/names.hpp"
#include "lapwing/plan/transports.hpp"
#include "lapwing/profile/pattern_gap.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing {
namespace {

constexpr double forbidden = std::numeric_limits<double>::infinity();

/// Whose bandwidth a schedule gets: section 3.2.
enum class Rates { pair, nearest_neighbour, cross_bisection };

/// What is planned: a workload, and what it costs on a machine.
struct Problem {
    const Profile& profile;
    const LinkCosts& link;
    const RankCosts& costs;
    Method method;

    [[nodiscard]] const Workload& workload() const { return costs.workload; }
    /// G(P, S). The best pair across the bisection stands in for nearest neighbours (section 4),
    /// and two ranks alone for both.
    [[nodiscard]] double gap(Rates rates, double size) const {
        const std::uint64_t ranks = workload().ranks;
        double found = 0;
        if (rates == Rates::nearest_neighbour) {
            found = pattern_gap(profile, "nearest-neighbour", ranks, size);
            if (found == 0)
                found = pattern_gap(profile, "cross-bisection", ranks, size, PairRank::fastest);
        } else if (rates == Rates::cross_bisection) {
            found = pattern_gap(profile, "cross-bisection", ranks, size);
        }
        return found > 0 ? found : gap_per_byte(link, size);
    }
};

/// A decomposition that the search chose.
struct Decomposition {
    double seconds = forbidden;
    std::uint64_t size = 0;
    int burst = 1;
    PeerOrder order = PeerOrder::contiguous;
};

/// Where a search looks: bursts, and the order and bandwidth of messages.
struct Range {
    int longest_burst = lapwing::longest_burst;
    PeerOrder order = PeerOrder::contiguous;
    Rates rates = Rates::pair;
};

/// The discrete search over the decompositions of a domain.
class Search {
  public:
    /// `volume` bytes and `compute` seconds, in messages of at most one peer's bytes.
    Search(const Problem& problem, double volume, double compute)
        : problem_(problem), volume_(volume), compute_(compute) {}

    [[nodiscard]] model::Overlap decomposition(std::uint64_t size, int burst, Rates rates) const {
        const auto bytes = static_cast<double>(size);
        const int counted = problem_.method == Method::paper_size ? 1 : burst;
        const LinkCosts& link = problem_.link;
        return {.V = volume_,
                .S = bytes,
                .b = static_cast<double>(burst),
                .t_V = compute_,
                .o = send_overhead(link, bytes, counted) + receive_overhead(link, bytes),
                .L = link.loggp.L,
                .G_S = problem_.gap(rates, bytes),
                .G_V = problem_.gap(rates, volume_)};
    }
    /// Whether the whole in one message is communication-bound.
    [[nodiscard]] bool communication_bound(Rates rates) const {
        return decomposition(problem_.costs.bytes_per_peer, 1, rates).communication_bound();
    }

    /// The least `model(decomposition)` of all permitted ones, or `best`. "<=" prefers the longest
    /// burst and the largest message among equals, as the paper.
    template <class Model>
    [[nodiscard]] Decomposition run(Decomposition best, const Range& range, Model&& model) const {
        // Grains in powers of two; from a byte where the grain is one of them.
        for (std::uint64_t size = problem_.workload().grain; size <= problem_.costs.bytes_per_peer;
             size *= 2) {
            const auto count =
                static_cast<std::uint64_t>(std::ceil(volume_ / static_cast<double>(size)));
            if (count > most_messages) continue;
            for (int burst = 1;
                 burst <= range.longest_burst && static_cast<std::uint64_t>(burst) <= count;
                 burst *= 2) {
                const auto x = decomposition(size, burst, range.rates);
                if (!permitted(x)) continue;
                if (const double seconds = model(x); seconds <= best.seconds)
                    best = {seconds, size, burst, range.order};
            }
        }
        return best;
    }

  private:
    [[nodiscard]] bool permitted(const model::Overlap& x) const {
        const auto& queue_depth = problem_.profile.queue_depth;
        const double depth = queue_depth ? *queue_depth : forbidden;
        const auto& protocol = problem_.link.protocol;
        if (protocol && protocol->outstanding &&
            !model::outstanding_volume(x, static_cast<double>(*protocol->outstanding)))
            return false;
        // The paper states constraint 3 where communication takes longer. Equation 7 needs it too:
        // nothing else in it counts the overhead of the first two bursts, and it would always
        // choose two bursts of the smallest messages.
        return model::constraint_8(x, depth) && model::constraint_3(x) &&
               (!x.communication_bound() || model::constraint_2(x));
    }

    const Problem& problem_;
    double volume_;
    double compute_;
};

/// Template E between two ranks.
double point_to_point(const model::Overlap& x) {
    if (x.communication_bound()) return model::equation_5(x);
    // Equation 7 counts on a second burst; with one burst template E is template C.
    return x.n_b() < 2 ? model::equation_6(x) : model::equation_7(x);
}

/// One peer after the other, or a message of each in turn, whichever is less.
template <class Contiguous, class Interleaved>
Decomposition either_order(const Search& search, const Decomposition& whole, int longest,
                           Contiguous&& contiguous, Interleaved&& interleaved) {
    const Rates near = Rates::nearest_neighbour;
    const Decomposition first =
        search.run(whole, {longest, PeerOrder::contiguous, near}, contiguous);
    const Rates rates = search.communication_bound(near) ? Rates::cross_bisection : near;
    const Decomposition second =
        search.run(first, {longest, PeerOrder::interleaved, rates}, interleaved);
    return second.seconds < first.seconds ? second : first;
}

/// Several peers: as many streams.
Decomposition end_points(const Problem& problem, const Decomposition& whole) {
    const auto peers = static_cast<double>(problem.costs.peers);
    const Search search(problem, static_cast<double>(problem.costs.bytes_per_peer),
                        problem.workload().compute / peers);
    const auto model = [&](const model::Overlap& x) { return peers * point_to_point(x); };
    return either_order(search, whole, longest_burst, model, model);
}

Decomposition all_to_all(const Problem& problem, const Decomposition& whole) {
    const auto P = static_cast<double>(problem.workload().ranks);
    const Search search(problem, problem.costs.volume(), problem.workload().compute);
    // The equations are of the case in which communication takes longer: what they add counts in
    // the other too.
    const auto staggered = [](const model::Overlap& x, double equation) {
        return point_to_point(x) + equation - model::equation_5(x);
    };
    return either_order(
        search, whole, 1,
        [&](const model::Overlap& x) { return staggered(x, model::equation_10(x, P)); },
        [&](const model::Overlap& x) { return staggered(x, model::equation_11(x)); });
}

/// A stream, or all others and one.
Decomposition one_end_point(const Problem& problem, const Decomposition& whole) {
    const Workload& workload = problem.workload();
    const auto peers = static_cast<double>(workload.peers);
    const bool congested = workload.pattern == Pattern::congested;
    const Search search(problem, static_cast<double>(problem.costs.bytes_per_peer),
                        workload.compute);
    Decomposition best = search.run(whole, {}, [&](const model::Overlap& x) {
        return point_to_point(x) + (congested ? model::congestion(x, peers) : 0);
    });
    if (congested) best.order = PeerOrder::interleaved;
    return best;
}

Decomposition best_decomposition(const Problem& problem, const Decomposition& whole) {
    switch (problem.workload().pattern) {
        case Pattern::multi:
        case Pattern::halo:
            return end_points(problem, whole);
        case Pattern::alltoall:
            return all_to_all(problem, whole);
        default:
            return one_end_point(problem, whole);
    }
}

void require_model(const Workload& workload) {
    if (workload.pattern == Pattern::collective || workload.pattern == Pattern::buckets)
        throw std::invalid_argument("the paper has no model of " +
                                    std::string(name(workload.pattern)) +
                                    ": plan it with method lapwing");
    if (workload.direction == Direction::both)
        throw std::invalid_argument(
            "the paper has no model of computation on both sides of a message: plan it with method "
            "lapwing");
}

}  // namespace

Plan plan_iancu(const Profile& profile, const Workload& asked, Method method) {
    require_model(asked);
    Workload workload = asked;
    // The paper has no model by which to choose a transport.
    if (workload.transport == MessageTransport::any)
        workload.transport = MessageTransport::two_sided;
    const WorkloadCosts costs = workload_costs(profile, workload, workload.transport);
    const RankCosts& idle = costs.idle;  // the paper knows no other costs of a rank that computes
    const Problem problem{profile, *idle.link, idle, method};

    Plan plan;
    plan.workload = workload;
    plan.transport = idle.transport;
    plan.method = method;
    plan.limit = lower_bound_seconds(idle);
    plan.blocking = blocking_seconds(idle);
    // Not splitting is what remains when every decomposition is forbidden.
    const Decomposition whole{.seconds = plan.blocking, .size = idle.bytes_per_peer};
    const Decomposition best = best_decomposition(problem, whole);
    plan.messages = Messages::uniform(idle.bytes_per_peer, best.size, workload.grain);
    plan.burst = best.burst;
    plan.window = 2 * best.burst;
    plan.order = best.order;
    plan.predicted = best.seconds;
    plan.poll_reason = "the paper's plans have none";
    set_tile(plan, idle);
    const double volume = idle.volume();
    const bool communication_bound = gap_per_byte(*idle.link, volume) * volume > workload.compute;
    plan.bound = communication_bound ? Bound::bandwidth : Bound::computation;
    if (workload.pattern == Pattern::alltoall && workload.balanced && communication_bound) {
        const Decomposition other = end_points(problem, whole);
        plan.runner_up = {"multiple end points: messages of " + std::to_string(other.size) +
                              " bytes in bursts of " + std::to_string(other.burst),
                          other.seconds};
    }
    apply_transport(plan, costs, workload.transport);
    return plan;
}

}  // namespace lapwing

#include "lapwing/plan/iancu2007/planner.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

#include "lapwing/model/overlap.hpp"
#include "lapwing/plan/costs/workload_costs.hpp"
#include "lapwing/plan/evaluate/closed_forms.hpp"
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

/// A decomposition that the search chose.
struct Decomposition {
    double seconds = forbidden;
    std::uint64_t size = 0;
    int burst = 1;
    PeerOrder order = PeerOrder::contiguous;
};

/// A domain whose decompositions are searched: `volume` bytes and `compute` seconds, in messages of
/// at most one peer's bytes.
struct Domain {
    const Profile& profile;
    const RankCosts& costs;
    Method method;
    double volume;
    double compute;

    /// G(P, S). The best pair across the bisection stands in for nearest neighbours (section 4),
    /// and two ranks alone for both.
    [[nodiscard]] double gap(Rates rates, double size) const {
        const bool near = rates == Rates::nearest_neighbour;
        const auto measured = [&](std::string_view pattern, PairRank pair) {
            return pattern_gap(profile, pattern, costs.workload.ranks, size, pair);
        };
        double found = near ? measured("nearest-neighbour", PairRank::slowest) : 0;
        if (found == 0 && rates != Rates::pair)
            found = measured("cross-bisection", near ? PairRank::fastest : PairRank::slowest);
        return found > 0 ? found : gap_per_byte(*costs.link, size);
    }
    [[nodiscard]] model::Overlap decomposition(std::uint64_t size, int burst, Rates rates) const {
        const auto bytes = static_cast<double>(size);
        const int counted = method == Method::paper_size ? 1 : burst;
        const LinkCosts& link = *costs.link;
        return {.V = volume,
                .S = bytes,
                .b = static_cast<double>(burst),
                .t_V = compute,
                .o = send_overhead(link, bytes, counted) + receive_overhead(link, bytes),
                .L = link.loggp.L,
                .G_S = gap(rates, bytes),
                .G_V = gap(rates, volume)};
    }
    /// Whether the equations are those of the case in which communication takes longer.
    [[nodiscard]] bool communication_bound(const model::Overlap& x) const {
        if (method == Method::paper_communication) return true;
        return method != Method::paper_computation && x.communication_bound();
    }
    /// Template E between two ranks.
    [[nodiscard]] double point_to_point(const model::Overlap& x) const {
        if (communication_bound(x)) return model::equation_5(x);
        // Equation 7 counts on a second burst; with one burst template E is template C.
        return x.n_b() < 2 ? model::equation_6(x) : model::equation_7(x);
    }
    [[nodiscard]] bool permitted(const model::Overlap& x) const {
        const auto& protocol = costs.link->protocol;
        if (protocol && protocol->outstanding &&
            !model::outstanding_volume(x, static_cast<double>(*protocol->outstanding)))
            return false;
        // The paper states constraint 3 where communication takes longer. Equation 7 needs it too:
        // nothing else in it counts the overhead of the first two bursts, and it would always
        // choose two bursts of the smallest messages. Constraint 2 is one of equation 5, and where
        // computation takes longer nothing satisfies it.
        const double depth = profile.queue_depth ? *profile.queue_depth : forbidden;
        return model::constraint_8(x, depth) && model::constraint_3(x) &&
               (!x.communication_bound() || !communication_bound(x) || model::constraint_2(x));
    }
    /// The least `model(decomposition)` of all permitted ones with bursts up to `longest`, or
    /// `best`. "<=" prefers the longest burst and the largest message among equals, as the paper.
    template <class Model>
    [[nodiscard]] Decomposition search(Decomposition best, int longest, PeerOrder order,
                                       Rates rates, const Model& model) const {
        // Grains in powers of two; from a byte where the grain is one of them.
        for (std::uint64_t size = costs.workload.grain; size <= costs.bytes_per_peer; size *= 2) {
            const double count = std::ceil(volume / static_cast<double>(size));
            if (count > most_messages) continue;
            for (int burst = 1; burst <= std::min<double>(longest, count); burst *= 2) {
                const auto x = decomposition(size, burst, rates);
                if (!permitted(x)) continue;
                if (const double seconds = model(x); seconds <= best.seconds)
                    best = {seconds, size, burst, order};
            }
        }
        return best;
    }
    /// One peer after the other, or a message of each in turn, whichever is less.
    template <class Contiguous, class Interleaved>
    [[nodiscard]] Decomposition either_order(const Decomposition& whole, int longest,
                                             const Contiguous& contiguous,
                                             const Interleaved& interleaved) const {
        Rates rates = Rates::nearest_neighbour;
        const auto first = search(whole, longest, PeerOrder::contiguous, rates, contiguous);
        const auto unsplit = decomposition(costs.bytes_per_peer, 1, rates);
        if (communication_bound(unsplit)) rates = Rates::cross_bisection;
        const auto second = search(first, longest, PeerOrder::interleaved, rates, interleaved);
        return second.seconds < first.seconds ? second : first;
    }
};

/// Several peers: as many streams.
Decomposition end_points(Domain domain, const Decomposition& whole) {
    const auto peers = static_cast<double>(domain.costs.peers);
    domain.volume = static_cast<double>(domain.costs.bytes_per_peer);
    domain.compute /= peers;
    const auto model = [&](const model::Overlap& x) { return peers * domain.point_to_point(x); };
    return domain.either_order(whole, longest_burst, model, model);
}

Decomposition best_decomposition(const Domain& domain, const Decomposition& whole) {
    const Workload& workload = domain.costs.workload;
    if (workload.pattern == Pattern::multi || workload.pattern == Pattern::halo)
        return end_points(domain, whole);
    if (workload.pattern == Pattern::alltoall) {
        // The equations are of the case in which communication takes longer: what they add counts
        // in the other too.
        const auto staggered = [&](const model::Overlap& x, double equation) {
            return domain.point_to_point(x) + equation - model::equation_5(x);
        };
        const auto P = static_cast<double>(workload.ranks);
        const int longest = domain.method == Method::paper_bursts ? longest_burst : 1;
        return domain.either_order(
            whole, longest,
            [&](const model::Overlap& x) { return staggered(x, model::equation_10(x, P)); },
            [&](const model::Overlap& x) { return staggered(x, model::equation_11(x)); });
    }
    const bool congested = workload.pattern == Pattern::congested;
    const auto senders = static_cast<double>(workload.peers);
    Decomposition best = domain.search(
        whole, longest_burst, PeerOrder::contiguous, Rates::pair, [&](const model::Overlap& x) {
            return domain.point_to_point(x) + (congested ? model::congestion(x, senders) : 0);
        });
    if (congested) best.order = PeerOrder::interleaved;
    return best;
}

void require_model(const Workload& workload) {
    const auto refuse = [](const std::string& what) {
        throw std::invalid_argument("the paper has no model of " + what +
                                    ": plan it with method lapwing");
    };
    if (workload.pattern == Pattern::collective || workload.pattern == Pattern::buckets)
        refuse(std::string(name(workload.pattern)));
    if (workload.direction == Direction::both) refuse("computation on both sides of a message");
}

}  // namespace

Plan plan_iancu(const Profile& profile, const Workload& asked, Method method) {
    require_model(asked);
    // The paper has no model by which to choose a transport.
    const Workload workload = over_one_transport(asked);
    const WorkloadCosts costs = workload_costs(profile, workload, workload.transport);
    const RankCosts& idle = costs.idle;  // the paper knows no other costs of a rank that computes
    const double volume = idle.volume();
    const Domain domain{profile, idle, method, volume, workload.compute};

    Plan plan;
    plan.workload = workload;
    plan.transport = idle.transport;
    plan.method = method;
    plan.limit = lower_bound_seconds(idle);
    plan.blocking = blocking_seconds(idle);
    // Not splitting is what remains when every decomposition is forbidden.
    const Decomposition whole{.seconds = plan.blocking, .size = idle.bytes_per_peer};
    const Decomposition best = best_decomposition(domain, whole);
    plan.messages = Messages::uniform(idle.bytes_per_peer, best.size, workload.grain);
    plan.burst = best.burst;
    plan.window = 2 * best.burst;
    plan.order = best.order;
    plan.predicted = best.seconds;
    plan.poll_reason = "the paper's plans have none";
    set_tile(plan, idle);
    const bool communication_bound = gap_per_byte(*idle.link, volume) * volume > workload.compute;
    plan.bound = communication_bound ? Bound::bandwidth : Bound::computation;
    if (workload.pattern == Pattern::alltoall && workload.balanced && communication_bound) {
        const Decomposition other = end_points(domain, whole);
        plan.runner_up = {"multiple end points: messages of " + std::to_string(other.size) +
                              " bytes in bursts of " + std::to_string(other.burst),
                          other.seconds};
    }
    apply_transport(plan, costs.computing, workload.transport);
    return plan;
}

}  // namespace lapwing

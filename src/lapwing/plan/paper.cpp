#include "lapwing/plan/paper.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

#include "lapwing/model/overlap.hpp"
#include "lapwing/plan/settle.hpp"
#include "lapwing/plan/words.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing {
namespace {

constexpr double forbidden = std::numeric_limits<double>::infinity();

/// Whose bandwidth a schedule gets: section 3.2.
enum class Rates { pair, nearest_neighbour, cross_bisection };

/// Seconds per byte of messages of `size` bytes, by a table of the profile among the nearest number
/// of processes; 0 where there is none.
double tabled(const Profile& profile, std::string_view name, bool slowest, std::uint64_t ranks,
              double size) {
    for (const auto& table : profile.patterns) {
        if (table.pattern != name || table.processes.empty()) continue;
        std::size_t row = 0;
        while (row + 1 < table.processes.size() &&
               static_cast<std::uint64_t>(table.processes[row]) < ranks)
            ++row;
        return interpolate(table.sizes, slowest ? table.slowest[row] : table.fastest[row], size);
    }
    return 0;
}

/// G(P, S). The best across the bisection stands in for nearest neighbours (section 4), and two
/// ranks alone for both.
double rate(const Profile& profile, Rates rates, std::uint64_t ranks, double size) {
    double found = 0;
    if (rates == Rates::nearest_neighbour) {
        found = tabled(profile, "nearest-neighbour", true, ranks, size);
        if (found == 0) found = tabled(profile, "cross-bisection", false, ranks, size);
    } else if (rates == Rates::cross_bisection) {
        found = tabled(profile, "cross-bisection", true, ranks, size);
    }
    return found > 0 ? found : gap_per_byte(profile, size);
}

/// A choice of the search.
struct Found {
    double seconds = forbidden;
    std::uint64_t size = 0;
    int burst = 1;
    PeerOrder order = PeerOrder::contiguous;
};

/// The discrete search over the decompositions of a domain.
class Search {
  public:
    /// `volume` bytes and `compute` seconds, of which no message is longer than `largest` bytes.
    Search(const Profile& profile, const Workload& workload, Method method, double volume,
           double compute, std::uint64_t largest)
        : profile_(profile),
          workload_(workload),
          method_(method),
          volume_(volume),
          compute_(compute),
          largest_(largest) {}

    [[nodiscard]] model::Overlap decomposition(std::uint64_t size, int burst, Rates rates) const {
        const auto bytes = static_cast<double>(size);
        const int counted = method_ == Method::paper_size ? 1 : burst;
        return {.V = volume_,
                .S = bytes,
                .b = static_cast<double>(burst),
                .t_V = compute_,
                .o = send_overhead(profile_, bytes, counted) + receive_overhead(profile_, bytes),
                .L = profile_.loggp.L,
                .G_S = rate(profile_, rates, workload_.ranks, bytes),
                .G_V = rate(profile_, rates, workload_.ranks, volume_)};
    }

    /// Adds what `model(decomposition)` makes of every permitted one. "<=" prefers the longest
    /// burst and the largest message among equals, as the paper.
    template <class Model>
    void run(Found& best, int longest, PeerOrder order, Rates rates, Model&& model) const {
        // Grains in powers of two; from a byte where the grain is one of them.
        for (std::uint64_t size = workload_.grain; size <= largest_; size *= 2) {
            const auto count =
                static_cast<std::uint64_t>(std::ceil(volume_ / static_cast<double>(size)));
            if (count > most_messages) continue;
            for (int burst = 1; burst <= longest && static_cast<std::uint64_t>(burst) <= count;
                 burst *= 2) {
                const auto x = decomposition(size, burst, rates);
                if (!permitted(x)) continue;
                if (const double seconds = model(x); seconds <= best.seconds)
                    best = {seconds, size, burst, order};
            }
        }
    }

  private:
    [[nodiscard]] bool permitted(const model::Overlap& x) const {
        const double depth = profile_.queue_depth ? *profile_.queue_depth : forbidden;
        const auto& protocol = profile_.protocol;
        if (protocol && protocol->outstanding &&
            !model::outstanding_volume(x, static_cast<double>(*protocol->outstanding)))
            return false;
        // The paper states constraint 3 where communication takes longer. Equation 7 needs it too:
        // nothing else in it counts the overhead of the first two bursts, and it would always
        // choose two bursts of the smallest messages.
        return model::constraint_8(x, depth) && model::constraint_3(x) &&
               (!x.communication_bound() || model::constraint_2(x));
    }

    const Profile& profile_;
    const Workload& workload_;
    Method method_;
    double volume_;
    double compute_;
    std::uint64_t largest_;
};

/// Template E between two.
double point_to_point(const model::Overlap& x) {
    if (x.communication_bound()) return model::equation_5(x);
    // Equation 7 counts on a second burst; with one burst template E is template C.
    return x.n_b() < 2 ? model::equation_6(x) : model::equation_7(x);
}

/// Several peers: as many streams.
Found end_points(const Profile& profile, const Workload& workload, const Flow& flow, Method method,
                 Found best) {
    const auto peers = static_cast<double>(flow.peers);
    const Search search(profile, workload, method, static_cast<double>(flow.own),
                        workload.compute / peers, flow.own);
    const auto model = [&](const model::Overlap& x) { return peers * point_to_point(x); };
    search.run(best, longest_burst, PeerOrder::contiguous, Rates::nearest_neighbour, model);
    const bool bound =
        search.decomposition(flow.own, 1, Rates::nearest_neighbour).communication_bound();
    Found interleaved = best;
    search.run(interleaved, longest_burst, PeerOrder::interleaved,
               bound ? Rates::cross_bisection : Rates::nearest_neighbour, model);
    return interleaved.seconds < best.seconds ? interleaved : best;
}

Found all_to_all(const Profile& profile, const Workload& workload, const Flow& flow, Method method,
                 Found best) {
    const auto P = static_cast<double>(workload.ranks);
    const Search search(profile, workload, method, flow.volume, workload.compute, flow.own);
    // The equations are of the case in which communication takes longer: what they add counts in
    // the other too.
    const auto staggered = [&](const model::Overlap& x, double equation) {
        return point_to_point(x) + equation - model::equation_5(x);
    };
    search.run(best, 1, PeerOrder::contiguous, Rates::nearest_neighbour,
               [&](const model::Overlap& x) { return staggered(x, model::equation_10(x, P)); });
    const bool bound =
        search.decomposition(flow.own, 1, Rates::nearest_neighbour).communication_bound();
    Found interleaved = best;
    search.run(interleaved, 1, PeerOrder::interleaved,
               bound ? Rates::cross_bisection : Rates::nearest_neighbour,
               [&](const model::Overlap& x) { return staggered(x, model::equation_11(x)); });
    return interleaved.seconds < best.seconds ? interleaved : best;
}

}  // namespace

Plan plan_paper(const Profile& profile, const Workload& workload, const Flow& flow, Method method) {
    const std::string name(lapwing::name(workload.pattern));
    if (workload.pattern == Pattern::collective || workload.pattern == Pattern::buckets)
        throw std::invalid_argument("the paper has no model of " + name +
                                    ": plan it with method lapwing");
    if (workload.direction == Direction::both)
        throw std::invalid_argument(
            "the paper has no model of computation on both sides of a message: plan it with method "
            "lapwing");

    Plan plan;
    plan.workload = workload;
    plan.method = method;
    plan.limit = limit(workload, flow);
    plan.blocking = blocking(workload, flow, profile.nic);
    // Not splitting is what remains when every decomposition is forbidden.
    Found best{
        .seconds = plan.blocking, .size = flow.own, .burst = 1, .order = PeerOrder::contiguous};
    const Found whole = best;
    const auto peers = static_cast<double>(workload.peers);
    switch (workload.pattern) {
        case Pattern::multi:
        case Pattern::halo:
            best = end_points(profile, workload, flow, method, best);
            break;
        case Pattern::alltoall:
            best = all_to_all(profile, workload, flow, method, best);
            break;
        default: {
            const bool congested = workload.pattern == Pattern::congested;
            const Search search(profile, workload, method, static_cast<double>(flow.own),
                                workload.compute, flow.own);
            search.run(best, longest_burst, PeerOrder::contiguous, Rates::pair,
                       [&](const model::Overlap& x) {
                           return point_to_point(x) + (congested ? model::congestion(x, peers) : 0);
                       });
            if (congested) best.order = PeerOrder::interleaved;
        }
    }
    plan.messages = Messages::uniform(flow.own, best.size, workload.grain);
    plan.burst = best.burst;
    plan.window = 2 * best.burst;
    plan.order = best.order;
    plan.predicted = best.seconds;
    plan.poll_reason = "the paper's plans have none";
    settle(plan, flow, 0);
    const bool communication_bound =
        gap_per_byte(profile, flow.volume) * flow.volume > workload.compute;
    plan.bound = communication_bound ? Bound::bandwidth : Bound::computation;
    if (workload.pattern == Pattern::alltoall && workload.balanced && communication_bound) {
        const Found other = end_points(profile, workload, flow, method, whole);
        plan.runner_up = {"multiple end points: messages of " + std::to_string(other.size) +
                              " bytes in bursts of " + std::to_string(other.burst),
                          other.seconds};
    }
    return plan;
}

}  // namespace lapwing

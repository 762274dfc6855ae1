#include "lapwing/plan/paper.hpp"

#include <limits>

#include "lapwing/model/overlap.hpp"
#include "lapwing/model/stream.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing {
namespace {

constexpr std::uint64_t most_messages = 8192;
constexpr int longest_burst = 64;

struct Search {
    const Profile& profile;
    const Workload& workload;

    [[nodiscard]] model::Overlap decomposition(std::uint64_t size, int burst) const {
        const auto volume = static_cast<double>(workload.volume);
        const auto bytes = static_cast<double>(size);
        return {.V = volume,
                .S = bytes,
                .b = static_cast<double>(burst),
                .t_V = workload.compute,
                .o = send_overhead(profile, bytes, burst) + receive_overhead(profile, bytes),
                .L = profile.loggp.L,
                .G_S = gap_per_byte(profile, bytes),
                .G_V = gap_per_byte(profile, volume)};
    }

    /// Seconds the paper's model gives, infinite where a constraint forbids the decomposition.
    [[nodiscard]] double cost(const model::Overlap& x) const {
        constexpr double forbidden = std::numeric_limits<double>::infinity();
        const double depth = profile.queue_depth ? *profile.queue_depth : forbidden;
        if (!model::constraint_8(x, depth)) return forbidden;
        // The paper states constraint 3 where communication takes longer. Equation 7 needs it too:
        // nothing else in it counts the overhead of the first two bursts, and it would always
        // choose two bursts of the smallest messages.
        if (!model::constraint_3(x)) return forbidden;
        if (x.communication_bound())
            return model::constraint_2(x) ? model::equation_5(x) : forbidden;
        // Equation 7 counts on a second burst; with one burst template E is template C.
        return x.n_b() < 2 ? model::equation_6(x) : model::equation_7(x);
    }
};

}  // namespace

Plan plan_paper(const Profile& profile, const Workload& workload) {
    const Search search{profile, workload};
    const auto volume = static_cast<double>(workload.volume);
    const auto costs = model::stream_costs(profile, volume, workload.compute);

    // Not splitting is what remains when every decomposition is forbidden.
    std::uint64_t best_size = workload.volume;
    int best_burst = 1;
    double best = model::blocking(costs, volume);
    // Grains in powers of two; from a byte where the grain is one of them.
    for (std::uint64_t size = workload.grain; size <= workload.volume; size *= 2) {
        const std::uint64_t count = (workload.volume + size - 1) / size;
        if (count > most_messages) continue;
        for (int burst = 1; burst <= longest_burst && static_cast<std::uint64_t>(burst) <= count;
             burst *= 2) {
            const double cost = search.cost(search.decomposition(size, burst));
            // "<=" prefers the longest burst and the largest message among equals, as the paper.
            if (cost <= best) {
                best = cost;
                best_size = size;
                best_burst = burst;
            }
        }
    }

    const auto whole = search.decomposition(workload.volume, 1);
    Plan plan;
    plan.workload = workload;
    plan.method = Method::paper;
    plan.messages = Messages::uniform(workload.volume, best_size, workload.grain);
    plan.burst = best_burst;
    plan.window = 2 * best_burst;
    plan.poll_reason = "the paper's plans have none";
    plan.predicted = best;
    plan.limit = model::stream_limit(costs, volume);
    plan.blocking = model::blocking(costs, volume);
    plan.bound = whole.communication_bound() ? Bound::bandwidth : Bound::computation;
    return plan;
}

}  // namespace lapwing

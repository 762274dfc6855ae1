#include "border_plan.hpp"

#include <algorithm>
#include <limits>

#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/rates.hpp"
#include "lapwing/plan/names.hpp"
#include "lapwing/plan/plan.hpp"
#include "point.hpp"

namespace lapwing::triangulation {
namespace {

/// A point takes as long as so many bytes of the kernel "add": 0.74 us where a core adds 3.6 GB/s.
constexpr double bytes_of_add = 2700;
constexpr double usual_rate = 4e9;  ///< of a core that nobody has measured, bytes a second

/// Bytes of "add" a second of a core.
double add_rate(const Job& job) {
    if constexpr (simulated_time) return simulated_rate("add");
    if (job.profile)
        for (const auto& [kernel, measured] : job.profile->kernels)
            if (kernel == "add") return measured;
    return usual_rate;
}

}  // namespace

double insertion_seconds(const Job& job) { return bytes_of_add / add_rate(job); }

Plan plan_border(const Job& job, const BorderWorkload& workload) {
    constexpr std::uint64_t usual_message = 32768 / sizeof(Point) * sizeof(Point);
    constexpr double usual_interval = 1e-3;  // seconds
    constexpr auto all = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
    const std::uint64_t part = workload.border * sizeof(Point);
    const std::uint64_t peers = workload.ranks > 2 ? 2 : 1;
    Plan plan;
    if (job.profile) {
        plan = lapwing::plan(
            *job.profile, {.volume = part * peers,
                           .compute = static_cast<double>(workload.frame) * insertion_seconds(job),
                           .grain = sizeof(Point),
                           .pattern = Pattern::halo,
                           .dependence = Dependence::loose,
                           .ranks = static_cast<std::uint64_t>(workload.ranks),
                           .peers = peers,
                           .transport = job.transport});
    } else {
        plan.messages = Messages::uniform(part, usual_message, sizeof(Point));
        plan.poll_interval = simulated_time ? 0 : usual_interval;
        plan.poll_reason = "usual, without a profile";
    }
    if (job.message_size) {
        const std::uint64_t size = *job.message_size / sizeof(Point) * sizeof(Point);
        plan.messages = Messages::uniform(
            part, std::clamp<std::uint64_t>(size, sizeof(Point), part), sizeof(Point));
    }
    if (!job.profile || job.message_size)
        plan.window = static_cast<int>(std::min(plan.messages.count() * peers, all));
    if (job.window) plan.window = *job.window;
    plan.burst = 0;
    plan.order = PeerOrder::interleaved;  // the outer ranks have one neighbour, the others two
    plan.transport = name(job.transport);
    return plan;
}

Schedule chosen_schedule(const Job& job, const Plan& plan) {
    if (job.schedule != Schedule::automatic) return job.schedule;
    return job.profile && plan.predicted >= plan.blocking ? Schedule::blocking
                                                          : Schedule::overlapped;
}

}  // namespace lapwing::triangulation

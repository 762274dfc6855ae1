#include "lapwing/plan/loose.hpp"

#include <algorithm>
#include <cstddef>

#include "lapwing/plan/attendance.hpp"
#include "lapwing/plan/measured_sizes.hpp"
#include "lapwing/plan/settle.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing {

bool is_loose(const Workload& workload) {
    return workload.dependence == Dependence::loose && workload.pattern != Pattern::buckets;
}

double play_loose(const Profile& profile, const Workload& workload, const Flow& flow,
                  const Messages& messages, double stalled) {
    model::Stream x = flow.costs;
    if (!straight_between_sizes(profile)) {
        double takes = 0;
        for (const auto& [size, count] : messages.runs()) {
            const auto bytes = static_cast<double>(size);
            takes += static_cast<double>(count) * bytes * gap_per_byte(profile, bytes);
        }
        const double straight = model::stream_costs(profile, flow.volume, workload.compute).G;
        x.G *= takes / (straight * static_cast<double>(messages.volume()));
        x.h = 0;  // is in it
    }
    const auto count = static_cast<double>(messages.count() * flow.peers);
    const auto all = [&](const LinearCost& line) {
        return count * line.base + line.per_byte * flow.volume;
    };
    // Initiated, computed, awaited; the rank that computes may be the one that only receives.
    const bool sends = flow.two_way || workload.direction == Direction::produce;
    const bool receives = flow.two_way || workload.direction == Direction::fetch;
    const auto first = static_cast<double>(messages.runs().front().size);
    const double wire = std::max(x.o_s(first) + x.L + count * x.h + x.G * flow.volume,
                                 all(x.o_s) + x.L + x.h + x.G * first);
    return std::max((sends ? all(x.o_s) : 0) + workload.compute, wire) + stalled +
           (receives ? all(x.o_r) : x.o_r(first));
}

Plan plan_loose(const Profile& profile, const Workload& workload, const Flow& flow) {
    const auto& x = flow.costs;
    const Attendance attended = attendance(profile, x, workload, flow.two_way);
    Plan plan;
    plan.workload = workload;
    plan.transport = flow.transport;
    const Messages whole = Messages::uniform(flow.own, flow.own, workload.grain);

    plan.limit = limit(workload, flow);
    const auto play = [&](const Messages& messages, double stalled) {
        return play_loose(profile, workload, flow, messages, stalled);
    };
    plan.blocking = play(whole, std::min(workload.compute, x.L + x.G * flow.volume));

    // Whole, none of it may advance while nobody calls; in pieces, what was measured.
    Messages pieces = whole;
    if (attended.largest < static_cast<double>(flow.own)) {
        const auto grains = std::max<std::uint64_t>(
            1, static_cast<std::uint64_t>(attended.largest) / workload.grain);
        pieces = Messages::uniform(flow.own, std::min(flow.own, grains * workload.grain),
                                   workload.grain);
    }
    const double stalled = attended.stalled * flow.volume;
    double overlapped = play(pieces, stalled);
    if (!straight_between_sizes(profile)) {
        constexpr std::size_t most = 12;
        constexpr double worthwhile = 1e-3;
        const auto largest =
            static_cast<std::uint64_t>(std::min(attended.largest, static_cast<double>(flow.own)));
        for (const std::uint64_t size :
             measured_sizes(profile.bandwidth.sizes, largest, workload.grain, most)) {
            const Messages parts = Messages::uniform(flow.own, size, workload.grain);
            const double seconds = play(parts, stalled);
            if (seconds >= (1 - worthwhile) * overlapped) continue;
            overlapped = seconds;
            pieces = parts;
        }
    }
    if (overlapped < plan.blocking) {
        plan.messages = pieces;
        plan.predicted = overlapped;
        plan.poll_interval = attended.poll_interval;
        plan.poll_reason = attended.reason;
        plan.runner_up = {"no overlap", plan.blocking};
    } else {
        plan.messages = whole;
        plan.predicted = plan.blocking;
        plan.poll_reason = "nothing is overlapped";
        plan.runner_up = {"overlap", overlapped};
    }
    const std::uint64_t count = plan.messages.count() * flow.peers;
    plan.window = static_cast<int>(std::min<std::uint64_t>(count, 1U << 20U));
    if (profile.queue_depth)
        plan.window = std::min(plan.window, std::max(1, *profile.queue_depth - 1));
    settle(plan, flow, overlapped < plan.blocking ? stalled : 0);
    return plan;
}

}  // namespace lapwing

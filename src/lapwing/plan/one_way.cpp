#include "lapwing/plan/one_way.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "lapwing/model/stream.hpp"
#include "lapwing/plan/attendance.hpp"
#include "lapwing/plan/choose.hpp"
#include "lapwing/plan/measured_sizes.hpp"
#include "lapwing/plan/settle.hpp"
#include "lapwing/plan/stream_player.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing {
namespace {

/// Messages in flight: enough that the announcement of a receive has crossed the wire and back
/// before its message is due, even among the shortest, and no fewer than
/// `least`, where that many were seen to be needed. `count`: there are in all.
int window(const model::Stream& x, const Messages& messages, std::uint64_t count, int least,
           bool sharing, std::optional<int> queue_depth) {
    constexpr int most = 64;
    std::uint64_t least_bytes = messages.volume();
    for (const auto& run : messages.runs()) least_bytes = std::min(least_bytes, run.size);
    const auto shortest = static_cast<double>(least_bytes);
    const double busy = shortest * std::min(x.G, std::max(x.t, 0.1 * x.G)) + x.o_r.base;
    const double idle = 2 * x.L + x.o_s.base + x.o_r.base;
    // Where all in flight share the wire the sender takes turns among them by its pace: the
    // receiver must never be what they wait for.
    if (sharing) least = most;
    int depth = busy * most < idle ? most : 2 + static_cast<int>(idle / busy);
    depth = std::min(std::max(depth, least), most);
    if (queue_depth) depth = std::min(depth, std::max(1, *queue_depth - 1));
    return static_cast<int>(std::min<std::uint64_t>(static_cast<std::uint64_t>(depth), count));
}

/// Messages whose receives should be posted at the least: what comes before its receive is copied
/// once more. `longest`: bytes. What waits for its receive does not come before it.
int least_posted(const Profile& profile, std::uint64_t longest) {
    const auto& protocol = profile.protocol;
    return protocol && protocol->eager && longest <= *protocol->eager ? min_preposted_receives : 1;
}

/// Whether no message of up to `most` bytes takes longer by itself than one latency, the wire and
/// the handshake of those that wait for their receive tell, the wire as fast as it has floods of
/// messages that are not paced by the processors, by more than a tenth.
bool explains_latency(const Profile& profile, double most) {
    constexpr double tolerance = 0.1;
    if (!profile.latency || profile.latency->sizes.empty()) return true;
    const auto& loggp = profile.loggp;
    const auto& table = *profile.latency;
    // The table was measured at another time than the parameters: its shortest message says what
    // that makes of the latency.
    const double L = std::max(loggp.L, table.half_round_trip.front() - loggp.o_s - loggp.o_r -
                                           loggp.G * static_cast<double>(table.sizes.front()));
    for (std::size_t i = 0; i < table.sizes.size(); ++i) {
        const auto size = static_cast<double>(table.sizes[i]);
        if (size > most) break;
        const double G = is_wire_bound(loggp.G, size, std::max(loggp.o_s, loggp.o_r))
                             ? std::max(loggp.G, gap_per_byte(profile, size))
                             : loggp.G;
        const double told =
            loggp.o_s + L + G * size + loggp.o_r + handshake(profile.protocol, table.sizes[i]);
        if (told < (1 - tolerance) * table.half_round_trip[i]) return false;
    }
    return true;
}

}  // namespace

bool has_closed_form(const Profile& profile, const Workload& workload) {
    if (workload.pattern != Pattern::stream || workload.direction == Direction::both) return false;
    // What messages were seen to cost a rank that computes is all of it.
    if (seen_computing(profile, workload, false) != nullptr) return true;
    // What longer messages do is nothing to a stream of which none is as long.
    const auto costs = model::stream_costs(profile, static_cast<double>(workload.volume), 0);
    const double most = attendance(profile, costs, workload).largest;
    return straight_between_sizes(profile, most) && explains_latency(profile, most);
}

Plan plan_one_way(const Profile& profile, const Workload& workload, const Flow& flow) {
    const StreamPlayer player(profile, workload, flow);
    const auto& costs = player.costs();
    const bool producing = workload.direction == Direction::produce;

    Plan plan;
    plan.workload = workload;
    plan.transport = flow.transport;
    plan.limit = limit(workload, player.fastest(flow));
    const Messages whole = Messages::uniform(flow.own, flow.own, workload.grain);
    plan.blocking = blocking(workload, flow, profile.nic);

    const Attendance attended = attendance(profile, costs, workload);
    const auto choose_up_to = [&](double largest) {
        const Chain chain(costs, static_cast<double>(flow.own), static_cast<double>(workload.grain),
                          largest);
        return choose(
            chain, workload.grain,
            [&](const Messages& messages) { return player.consumed(messages); },
            [&](std::uint64_t size) { return player.uniform(flow.own, size); });
    };
    Choice best = choose_up_to(attended.largest);
    const auto overtaking = static_cast<double>(player.overtaking());
    if (overtaking > 0 && overtaking < std::min(attended.largest, flow.volume))
        best.offer(choose_up_to(overtaking));
    for (const std::uint64_t size : player.measured())
        if (size < flow.own && size % workload.grain == 0 &&
            static_cast<double>(size) <= attended.largest)
            best.offer_equal(size, player.uniform(flow.own, size), workload.grain);
    // What splitting leaves unhidden may be more than what it hides.
    const double stalled = attended.stalled * flow.volume;
    double seconds = best.seconds + stalled;
    if (producing && best.messages.count() > 1) {
        best.messages = best.messages.reversed();
        seconds = player.seconds(best.messages) + stalled;
    }
    const bool overlaps = best.messages.count() > 1 && seconds < plan.blocking;
    plan.messages = overlaps ? best.messages : whole;
    plan.predicted = overlaps ? seconds : plan.blocking;
    plan.poll_interval = overlaps ? attended.poll_interval : 0;
    plan.poll_reason = overlaps ? attended.reason : "nothing is overlapped";
    const auto& runs = plan.messages.runs();
    const bool sharing = std::any_of(
        runs.begin(), runs.end(), [&](const Run& run) { return shares_wire(profile, run.size); });
    const std::uint64_t count = plan.messages.count();
    std::uint64_t longest = 0;
    for (const Run& run : runs) longest = std::max(longest, run.size);
    const int least = std::max(attended.window, least_posted(profile, longest));
    plan.window = window(costs, plan.messages, count, least, sharing, profile.queue_depth);
    if (sharing && count > 1) plan.pace = costs.G;
    plan.runner_up = runner_up(best.ways, plan.messages, overlaps ? stalled : 0);
    settle(plan, flow, overlaps ? stalled : 0);
    return plan;
}

}  // namespace lapwing

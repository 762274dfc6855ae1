#include "lapwing/plan/one_way.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "lapwing/model/stream.hpp"
#include "lapwing/plan/attendance.hpp"
#include "lapwing/plan/choose.hpp"
#include "lapwing/plan/settle.hpp"
#include "lapwing/simulate/stream.hpp"

namespace lapwing {
namespace {

/// Seconds until the last message is consumed, in time that grows with the runs; each message is
/// that of `peers` peers, one after the other.
double play(const model::Stream& x, double peers, const Messages& messages) {
    simulate::StreamPlay play(x);
    for (const auto& [size, count] : messages.runs())
        play.messages(static_cast<double>(size), peers * static_cast<double>(count));
    return play.consumed();
}

/// Seconds that messages of `size` bytes each take, as many as `volume` of each peer needs of them.
double uniform(const model::Stream& x, double peers, std::uint64_t volume, std::uint64_t size) {
    simulate::StreamPlay play(x);
    play.messages(static_cast<double>(size), peers * static_cast<double>(volume / size));
    if (const std::uint64_t rest = volume % size; rest > 0)
        play.messages(static_cast<double>(rest), peers);
    return play.consumed();
}

/// What a producer's messages take: time runs backwards from the last of them.
double play_backwards(const model::Stream& x, double peers, const Messages& messages) {
    simulate::StreamPlay play(x);
    const auto& runs = messages.runs();
    for (std::size_t i = runs.size(); i-- > 0;)
        play.messages(static_cast<double>(runs[i].size),
                      peers * static_cast<double>(runs[i].count));
    return play.consumed();
}

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

}  // namespace

Plan plan_one_way(const Profile& profile, const Workload& workload, const Flow& flow) {
    auto costs = flow.costs;
    const auto peers = static_cast<double>(flow.peers);
    // A producer is a consumer with time reversed: it pays the overhead of sending where the other
    // pays that of receiving, and what it likes to send last is what the other likes to get first.
    const bool producing = workload.direction == Direction::produce;
    if (producing) std::swap(costs.o_s, costs.o_r);

    Plan plan;
    plan.workload = workload;
    plan.transport = flow.transport;
    plan.limit = workload.pattern == Pattern::stream
                     ? model::stream_limit(costs, flow.volume)
                     : std::max(workload.compute, costs.L + costs.G * flow.volume);
    const Messages whole = Messages::uniform(flow.own, flow.own, workload.grain);
    plan.blocking = blocking(costs, flow);

    const Attendance attended = attendance(profile.progress, costs);
    const Chain chain(in_turns(costs, peers), static_cast<double>(flow.own),
                      static_cast<double>(workload.grain), attended.largest);
    Choice best = choose(
        chain, workload.grain,
        [&](const Messages& messages) { return play(costs, peers, messages); },
        [&](std::uint64_t size) { return uniform(costs, peers, flow.own, size); });
    // What splitting leaves unhidden may be more than what it hides.
    const double stalled = attended.stalled * flow.volume;
    double seconds = best.seconds + stalled;
    if (producing && best.messages.count() > 1) {
        best.messages = best.messages.reversed();
        seconds = play_backwards(costs, peers, best.messages) + stalled;
    }
    const bool overlaps = best.messages.count() * flow.peers > 1 && seconds < plan.blocking;
    plan.messages = overlaps ? std::move(best.messages) : whole;
    plan.predicted = overlaps ? seconds : plan.blocking;
    plan.poll_interval = overlaps ? attended.poll_interval : 0;
    plan.poll_reason = overlaps ? attended.reason : "nothing is overlapped";
    const bool sharing = profile.nic == Nic::sharing;
    const std::uint64_t count = plan.messages.count() * flow.peers;
    plan.window =
        window(costs, plan.messages, count, attended.window, sharing, profile.queue_depth);
    if (sharing && count > 1) plan.pace = costs.G * peers;
    // Messages of several peers arrive in turn, whatever the order in which they are awaited.
    plan.order = workload.pattern == Pattern::stream ? PeerOrder::contiguous : PeerOrder::interleaved;
    plan.runner_up = runner_up(best.ways, plan.messages, overlaps ? stalled : 0);
    settle(plan, flow, overlaps ? stalled : 0);
    return plan;
}

}  // namespace lapwing

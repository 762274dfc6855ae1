#include "lapwing/plan/one_way.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "lapwing/model/stream.hpp"
#include "lapwing/plan/attendance.hpp"
#include "lapwing/plan/choose.hpp"
#include "lapwing/plan/measured_sizes.hpp"
#include "lapwing/plan/settle.hpp"
#include "lapwing/profile/table.hpp"
#include "lapwing/simulate/stream.hpp"

namespace lapwing {
namespace {

/// How long ways to cut take that a receiver consumes, or a producer makes, which is the same with
/// time reversed.
class Player {
  public:
    Player(const Profile& profile, const Workload& workload, const Flow& flow)
        : costs_(as_fetched(workload, flow.costs)), flood_(unlike_lines(profile, flow.volume)) {}

    [[nodiscard]] const model::Stream& costs() const { return costs_; }
    /// By which messages are played that lines do not tell; empty where they do.
    [[nodiscard]] const simulate::Timings& flood() const { return flood_; }

    /// The same with the wire as fast as messages of any size have it.
    [[nodiscard]] Flow fastest(Flow flow) const {
        for (std::size_t i = 0; i < flood_.sizes.size(); ++i)
            flow.costs.G =
                std::min(flow.costs.G, flood_.seconds[i] / static_cast<double>(flood_.sizes[i]));
        return flow;
    }

    /// Seconds until the last message is consumed, in time that grows with the runs.
    [[nodiscard]] double play(const Messages& messages) const {
        simulate::StreamPlay play(costs_, flood_);
        for (const auto& [size, count] : messages.runs())
            play.messages(static_cast<double>(size), static_cast<double>(count));
        return play.consumed();
    }
    /// Seconds from a producer's first message on: time runs backwards from the last.
    [[nodiscard]] double play_backwards(const Messages& messages) const {
        simulate::StreamPlay play(costs_, flood_);
        const auto& runs = messages.runs();
        for (std::size_t i = runs.size(); i-- > 0;)
            play.messages(static_cast<double>(runs[i].size), static_cast<double>(runs[i].count));
        return play.consumed();
    }
    /// Seconds that messages of `size` bytes each take, as many as `volume` needs of them.
    [[nodiscard]] double uniform(std::uint64_t volume, std::uint64_t size) const {
        simulate::StreamPlay play(costs_, flood_);
        const std::uint64_t whole = volume / size;
        play.messages(static_cast<double>(size), static_cast<double>(whole));
        if (const std::uint64_t rest = volume % size; rest > 0)
            play.message(static_cast<double>(rest));
        return play.consumed();
    }

  private:
    /// A flood of messages up to `volume` bytes, if anywhere it is a twentieth faster or slower
    /// than lines have the processor or the wire that keeps it up. Messages that share the wire
    /// arrive more or less together, and are taken up one after another then.
    static simulate::Timings unlike_lines(const Profile& profile, double volume) {
        constexpr double tolerance = 0.05;
        const auto x = model::stream_costs(profile, volume, 0);
        const auto& table = profile.bandwidth;
        bool alike = true;
        simulate::Timings flood;
        for (std::size_t i = 0; i < table.sizes.size(); ++i) {
            const auto size = static_cast<double>(table.sizes[i]);
            if (size > volume || table.unidirectional[i] <= 0) continue;
            const double takes = size / table.unidirectional[i];
            const bool shares = profile.nic == Nic::sharing && table.sizes[i] > profile.in_order;
            const double least = std::max({x.o_s(size), x.h + x.G * size, x.o_r(size)});
            const double most = shares ? least + x.o_r(size) : least;
            if (takes < (1 - tolerance) * least || takes > (1 + tolerance) * most) alike = false;
            flood.sizes.push_back(table.sizes[i]);
            flood.seconds.push_back(takes);
        }
        return alike ? simulate::Timings() : flood;
    }

    model::Stream costs_;
    simulate::Timings flood_;
};

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

/// Whether no message takes longer by itself than one latency and the wire tell, the wire as fast
/// as it has floods of messages that are not paced by the processors, by more than a tenth.
bool explains_latency(const Profile& profile) {
    constexpr double tolerance = 0.1;
    if (!profile.latency) return true;
    const auto& loggp = profile.loggp;
    const auto& table = *profile.latency;
    for (std::size_t i = 0; i < table.sizes.size(); ++i) {
        const auto size = static_cast<double>(table.sizes[i]);
        const bool paced = loggp.G * size < 2 * std::max(loggp.o_s, loggp.o_r);
        const double G = paced ? loggp.G : std::max(loggp.G, gap_per_byte(profile, size));
        const double told = loggp.o_s + loggp.L + G * size + loggp.o_r;
        if (told < (1 - tolerance) * table.half_round_trip[i]) return false;
    }
    return true;
}

}  // namespace

bool has_closed_form(const Profile& profile, const Workload& workload) {
    return workload.pattern == Pattern::stream && workload.direction != Direction::both &&
           straight_between_sizes(profile) && explains_latency(profile);
}

double play_one_way(const Profile& profile, const Workload& workload, const Flow& flow,
                    const Messages& messages) {
    const Player player(profile, workload, flow);
    return workload.direction == Direction::produce ? player.play_backwards(messages)
                                                    : player.play(messages);
}

Plan plan_one_way(const Profile& profile, const Workload& workload, const Flow& flow) {
    const Player player(profile, workload, flow);
    const auto& costs = player.costs();
    const bool producing = workload.direction == Direction::produce;

    Plan plan;
    plan.workload = workload;
    plan.transport = flow.transport;
    plan.limit = limit(workload, player.fastest(flow));
    const Messages whole = Messages::uniform(flow.own, flow.own, workload.grain);
    plan.blocking = blocking(workload, flow, profile.nic);

    const Attendance attended = attendance(profile, costs);
    const Chain chain(costs, static_cast<double>(flow.own), static_cast<double>(workload.grain),
                      attended.largest);
    Choice best = choose(
        chain, workload.grain, [&](const Messages& messages) { return player.play(messages); },
        [&](std::uint64_t size) { return player.uniform(flow.own, size); });
    for (const std::uint64_t size : player.flood().sizes)
        if (size < flow.own && size % workload.grain == 0 &&
            static_cast<double>(size) <= attended.largest)
            best.offer_equal(size, player.uniform(flow.own, size), workload.grain);
    // What splitting leaves unhidden may be more than what it hides.
    const double stalled = attended.stalled * flow.volume;
    double seconds = best.seconds + stalled;
    if (producing && best.messages.count() > 1) {
        best.messages = best.messages.reversed();
        seconds = player.play_backwards(best.messages) + stalled;
    }
    const bool overlaps = best.messages.count() > 1 && seconds < plan.blocking;
    plan.messages = overlaps ? best.messages : whole;
    plan.predicted = overlaps ? seconds : plan.blocking;
    plan.poll_interval = overlaps ? attended.poll_interval : 0;
    plan.poll_reason = overlaps ? attended.reason : "nothing is overlapped";
    const auto& runs = plan.messages.runs();
    const bool sharing = profile.nic == Nic::sharing &&
                         std::any_of(runs.begin(), runs.end(),
                                     [&](const Run& run) { return run.size > profile.in_order; });
    const std::uint64_t count = plan.messages.count();
    plan.window =
        window(costs, plan.messages, count, attended.window, sharing, profile.queue_depth);
    if (sharing && count > 1) plan.pace = costs.G;
    plan.runner_up = runner_up(best.ways, plan.messages, overlaps ? stalled : 0);
    settle(plan, flow, overlaps ? stalled : 0);
    return plan;
}

}  // namespace lapwing

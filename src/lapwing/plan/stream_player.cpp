#include "lapwing/plan/stream_player.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "lapwing/plan/attendance.hpp"
#include "lapwing/plan/settle.hpp"
#include "lapwing/profile/table.hpp"
#include "lapwing/simulate/recurrence/stream_recurrence.hpp"

namespace lapwing {
namespace {

/// A flood of messages up to `volume` bytes, if anywhere it is a twentieth faster or slower than
/// lines have the processor or the wire that keeps it up. Messages that share the wire arrive more
/// or less together, and are taken up one after another then.
simulate::Timings unlike_lines(const Profile& profile, double volume) {
    constexpr double tolerance = 0.05;
    const auto x = model::stream_costs(profile, volume, 0);
    const auto& table = profile.bandwidth;
    bool alike = true;
    simulate::Timings flood;
    for (std::size_t i = 0; i < table.sizes.size(); ++i) {
        const auto size = static_cast<double>(table.sizes[i]);
        if (size > volume || table.unidirectional[i] <= 0) continue;
        const double takes = size / table.unidirectional[i];
        const double least = std::max({x.o_s(size), x.h + x.G * size, x.o_r(size)});
        const double most = shares_wire(profile, table.sizes[i]) ? least + x.o_r(size) : least;
        if (takes < (1 - tolerance) * least || takes > (1 + tolerance) * most) alike = false;
        flood.sizes.push_back(table.sizes[i]);
        flood.seconds.push_back(takes);
    }
    return alike ? simulate::Timings() : flood;
}

/// What a receiver was seen to lose to a message while it computes; nothing where none was.
simulate::Timings taken_up(const Profile& profile, const Workload& workload) {
    if (seen_computing(profile, workload, false) == nullptr) return {};
    return {profile.overhead.sizes, profile.overhead.receive};
}

/// The most that overtakes a longer message, bytes. A producer computes before it sends the next,
/// and what shares the wire is paced: there a long message is on its way by then.
std::uint64_t most_overtaking(const Profile& profile, const Workload& workload) {
    const auto& protocol = profile.protocol;
    if (!protocol || !protocol->eager_overtakes || profile.nic == Nic::sharing) return 0;
    return workload.direction == Direction::fetch ? protocol->eager.value_or(0) : 0;
}

}  // namespace

StreamPlayer::StreamPlayer(const Profile& profile, const Workload& workload, const Flow& flow)
    : costs_(as_fetched(workload, flow.costs)),
      flood_(unlike_lines(profile, flow.volume)),
      taken_up_(taken_up(profile, workload)),
      producing_(workload.direction == Direction::produce),
      overtaking_(most_overtaking(profile, workload)) {}

Flow StreamPlayer::fastest(Flow flow) const {
    for (std::size_t i = 0; i < flood_.sizes.size(); ++i)
        flow.costs.G =
            std::min(flow.costs.G, flood_.seconds[i] / static_cast<double>(flood_.sizes[i]));
    return flow;
}

double StreamPlayer::seconds(const Messages& messages) const {
    if (!producing_) return consumed(messages);
    simulate::StreamRecurrence stream(costs_, flood_, taken_up_);
    const auto& runs = messages.runs();
    for (std::size_t i = runs.size(); i-- > 0;)
        stream.messages(static_cast<double>(runs[i].size), static_cast<double>(runs[i].count));
    return stream.consumed();
}

double StreamPlayer::consumed(const Messages& messages) const {
    return consumed(std::span(messages.runs()));
}

double StreamPlayer::uniform(std::uint64_t volume, std::uint64_t size) const {
    const std::uint64_t rest = volume % size;
    const std::array<Run, 2> runs{Run{size, volume / size}, Run{rest, rest > 0 ? 1U : 0U}};
    return consumed(std::span(runs));
}

double StreamPlayer::consumed(std::span<const Run> runs) const {
    simulate::StreamRecurrence stream(costs_, flood_, taken_up_);
    std::uint64_t played = 0;  // of the run
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto size = static_cast<double>(runs[i].size);
        const std::uint64_t count = runs[i].count - std::exchange(played, 0);
        if (count > 0 && i + 1 < runs.size() && overtakes(runs[i + 1], runs[i])) {
            stream.messages(size, static_cast<double>(count - 1));
            stream.overtaken(size, static_cast<double>(runs[i + 1].size));
            played = 1;
        } else {
            stream.messages(size, static_cast<double>(count));
        }
    }
    return stream.consumed();
}

}  // namespace lapwing

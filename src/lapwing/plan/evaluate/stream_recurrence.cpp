#include "lapwing/plan/evaluate/stream_recurrence.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "lapwing/plan/evaluate/reference_times.hpp"
#include "lapwing/profile/table.hpp"
#include "lapwing/simulate/recurrence/stream_recurrence.hpp"

namespace lapwing {
namespace {

/// The gaps of a flood of messages up to the stream's volume, if any of them is a twentieth shorter
/// or longer than lines say. Messages that share the wire arrive more or less together, and are
/// received one after another then.
simulate::Timings flood_if_nonlinear(const RankCosts& costs) {
    constexpr double tolerance = 0.05;
    const LinkCosts& link = *costs.link;
    const double volume = costs.volume();
    const auto x = model::stream_costs(link, volume, 0);
    const auto& table = link.bandwidth;
    bool linear = true;
    simulate::Timings flood;
    for (std::size_t i = 0; i < table.sizes.size(); ++i) {
        const auto size = static_cast<double>(table.sizes[i]);
        if (size > volume || table.unidirectional[i] <= 0) continue;
        const double gap = size / table.unidirectional[i];
        const double least = std::max({x.o_s(size), x.h + x.G * size, x.o_r(size)});
        const double most = shares_wire(link, table.sizes[i]) ? least + x.o_r(size) : least;
        if (gap < (1 - tolerance) * least || gap > (1 + tolerance) * most) linear = false;
        flood.sizes.push_back(table.sizes[i]);
        flood.seconds.push_back(gap);
    }
    return linear ? simulate::Timings() : flood;
}

/// A producer computes before it sends the next message, and a sender that shares the wire paces
/// its messages: by then a long message is on its way.
std::uint64_t overtaken_above(const RankCosts& costs) {
    const auto& protocol = costs.link->protocol;
    if (!protocol || !protocol->eager_overtakes || costs.link->nic == Nic::sharing) return 0;
    return costs.workload.direction == Direction::fetch ? protocol->eager.value_or(0) : 0;
}

}  // namespace

StreamRecurrence::StreamRecurrence(const RankCosts& costs)
    : costs_(costs),
      line_(as_receiver(costs)),
      flood_(flood_if_nonlinear(costs)),
      overtaken_above_(lapwing::overtaken_above(costs)) {
    const Overhead& overhead = costs.link->overhead;
    if (costs.exposed_receive) received_ = {overhead.sizes, overhead.receive};
}

double StreamRecurrence::lower_bound() const {
    model::Stream fastest = line_;
    for (std::size_t i = 0; i < flood_.sizes.size(); ++i)
        fastest.G = std::min(fastest.G, flood_.seconds[i] / static_cast<double>(flood_.sizes[i]));
    return model::stream_limit(fastest, costs_.volume());
}

double StreamRecurrence::seconds(const Messages& messages) const {
    if (costs_.workload.direction == Direction::fetch) return receiver_seconds(messages);
    simulate::StreamRecurrence stream(line_, flood_, received_);
    const auto& runs = messages.runs();
    for (std::size_t i = runs.size(); i-- > 0;)
        stream.messages(static_cast<double>(runs[i].size), static_cast<double>(runs[i].count));
    return stream.consumed();
}

double StreamRecurrence::receiver_seconds(const Messages& messages) const {
    return receiver_seconds(std::span(messages.runs()));
}

double StreamRecurrence::receiver_seconds(std::uint64_t volume, std::uint64_t size) const {
    const std::uint64_t rest = volume % size;
    const std::array<MessageRun, 2> runs{MessageRun{size, volume / size},
                                         MessageRun{rest, rest > 0 ? 1U : 0U}};
    return receiver_seconds(std::span(runs));
}

double StreamRecurrence::receiver_seconds(std::span<const MessageRun> runs) const {
    simulate::StreamRecurrence stream(line_, flood_, received_);
    std::uint64_t done = 0;  // messages of the run
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto size = static_cast<double>(runs[i].size);
        const std::uint64_t count = runs[i].count - std::exchange(done, 0);
        if (count > 0 && i + 1 < runs.size() && overtakes(runs[i + 1], runs[i])) {
            stream.messages(size, static_cast<double>(count - 1));
            stream.overtaken(size, static_cast<double>(runs[i + 1].size));
            done = 1;
        } else {
            stream.messages(size, static_cast<double>(count));
        }
    }
    return stream.consumed();
}

}  // namespace lapwing

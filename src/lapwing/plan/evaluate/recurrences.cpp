#include "lapwing/plan/evaluate/recurrences.hpp"

#include <algorithm>
#include <utility>

#include "lapwing/plan/search_options.hpp"
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

}  // namespace

StreamRecurrence::StreamRecurrence(const RankCosts& costs)
    : costs_(costs), line_(as_receiver(costs)), flood_(flood_if_nonlinear(costs)) {
    const LinkCosts& link = *costs.link;
    // A producer knows what it has sent while it computes.
    if (costs.workload.direction == Direction::fetch)
        acknowledgement_ = link.one_sided.acknowledgement;
    if (costs.exposed_receive) received_ = {link.overhead.sizes, link.overhead.receive};
    // A producer computes before it sends the next message, and a sender that shares the wire paces
    // its messages: by then a long message is on its way.
    if (link.protocol && link.protocol->eager_overtakes && link.nic != Nic::sharing &&
        costs.workload.direction == Direction::fetch)
        overtaken_above_ = link.protocol->eager.value_or(0);
}

double StreamRecurrence::lower_bound() const {
    model::Stream fastest = line_;
    for (std::size_t i = 0; i < flood_.sizes.size(); ++i)
        fastest.G = std::min(fastest.G, flood_.seconds[i] / static_cast<double>(flood_.sizes[i]));
    return model::stream_limit(fastest, costs_.volume());
}

double StreamRecurrence::seconds(const Messages& messages) const {
    if (costs_.workload.direction == Direction::fetch) return receiver_seconds(messages);
    const std::vector<MessageRun> reversed(messages.runs().rbegin(), messages.runs().rend());
    return receiver_seconds(std::span(reversed));
}

model::Stream StreamRecurrence::line_of(std::span<const MessageRun> runs) const {
    model::Stream line = line_;
    const auto window =
        static_cast<double>(std::min(search_options.max_window, costs_.max_in_flight));
    double count = 0;
    for (const MessageRun& run : runs) count += static_cast<double>(run.count);
    if (acknowledgement_ > 0 && count > window)
        line.o_s.base =
            std::max(line.o_s.base, (line.o_s.base + line.L + acknowledgement_) / window);
    return line;
}

double StreamRecurrence::pace(std::span<const MessageRun> runs) const {
    const bool shared = std::ranges::any_of(
        runs, [&](const MessageRun& run) { return shares_wire(*costs_.link, run.size); });
    return shared ? line_.G : 0;
}

double StreamRecurrence::receiver_seconds(std::span<const MessageRun> runs) const {
    simulate::StreamRecurrence stream(line_of(runs), flood_, received_);
    if (costs_.workload.direction == Direction::fetch) stream.set_pace(pace(runs));
    std::uint64_t done = 0;  // messages of the run
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto size = static_cast<double>(runs[i].size);
        const std::uint64_t count = runs[i].count - std::exchange(done, 0);
        const bool overtaken = count > 0 && runs[i].size > overtaken_above_ &&
                               i + 1 < runs.size() && runs[i + 1].size <= overtaken_above_;
        stream.messages(size, static_cast<double>(overtaken ? count - 1 : count));
        if (!overtaken) continue;
        stream.overtaken(size, static_cast<double>(runs[i + 1].size));
        done = 1;
    }
    return std::max(stream.consumed(), stream.arrived() + acknowledgement_);
}

RankRecurrence::RankRecurrence(const RankCosts& costs) : costs_(costs) {
    const Direction direction = costs.workload.direction;
    const bool produces = direction == Direction::produce;
    const double t = costs.line.t;
    const double before = direction == Direction::both ? t / 2 : produces ? t : 0;
    rank_ = {.costs = costs.line,
             .sends = costs.two_way || produces,
             .receives = costs.two_way || !produces,
             .before = before,
             .after = t - before,
             .nic = costs.link->nic};
}

double RankRecurrence::seconds(const Messages& messages, int window) const {
    std::vector<double> sizes;
    sizes.reserve(costs_.peers * messages.count());
    // One peer after the other where all ranks send. Otherwise peers are ready side by side: a
    // message of each in turn.
    const std::uint64_t rounds = costs_.two_way ? costs_.peers : 1;
    for (std::uint64_t round = 0; round < rounds; ++round)
        for (const auto& [size, count] : messages.runs())
            sizes.insert(sizes.end(), costs_.peers / rounds * count, static_cast<double>(size));
    return run(sizes, messages.count(), static_cast<std::size_t>(window));
}

double RankRecurrence::run(const std::vector<double>& sizes, std::size_t each,
                           std::size_t window) const {
    // How much longer the wire takes where ranks have messages in flight to more than two others:
    // interfaces serve what can go first, ranks block each other, and wires rest. Flat all-to-alls
    // of 8 and 16 ranks take 1.4 to 1.7 times as long in the engine.
    constexpr double out_of_step_slowdown = 1.5;
    const auto [seconds, in_step] = rank_.run(sizes, window, each);
    // Where all ranks send they stay in step, each on its way to another peer, for as long as none
    // has messages in flight to more than two.
    if (in_step || !costs_.two_way) return seconds;
    simulate::RepresentativeRank slowed = rank_;
    slowed.costs.G *= out_of_step_slowdown;
    slowed.costs.h *= out_of_step_slowdown;
    return slowed.run(sizes, window, each).seconds;
}

}  // namespace lapwing

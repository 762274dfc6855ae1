#include "lapwing/io/schedule_trace.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>

#include "lapwing/io/trace_writer.hpp"

namespace lapwing {
namespace {

using simulate::Interval;
using simulate::Operation;
using simulate::Rank;
using simulate::Resource;

constexpr std::uint32_t resources = 3;  // processor, sending and receiving, of each pair
constexpr std::uint32_t lanes = 1000;   // most threads of a resource

std::string name(std::uint32_t resource) {
    static constexpr const char* names[resources] = {"processor", "sending", "receiving"};
    const std::uint32_t number = resource / resources;
    return names[resource % resources] + (number == 0 ? "" : " " + std::to_string(number));
}

/// The threads of one resource: as many as it is used at once.
class Lanes {
  public:
    /// Takes the first thread that is free at the start of `interval`, and keeps it busy to its
    /// end. Intervals come in the order of their starts.
    std::uint32_t take(const Interval& interval) {
        auto lane = std::find_if(free_.begin(), free_.end(),
                                 [&](simulate::Time since) { return since <= interval.start; });
        if (lane == free_.end()) {
            if (free_.size() < lanes) free_.push_back(0);
            lane = free_.end() - 1;
        }
        *lane = interval.end;
        return static_cast<std::uint32_t>(lane - free_.begin());
    }

  private:
    std::vector<simulate::Time> free_;
};

const char* name(Operation operation) {
    switch (operation) {
        case Operation::send:
            return "send";
        case Operation::receive:
            return "receive";
        case Operation::calculation:
            return "calculation";
    }
    return "";
}

TraceWriter::Json arguments(const Interval& interval, bool shared) {
    if (interval.operation == Operation::calculation) return TraceWriter::Json::object();
    TraceWriter::Json made;
    if (shared) made["rank"] = interval.rank;
    made[interval.operation == Operation::send ? "to" : "from"] = interval.peer;
    made["bytes"] = interval.bytes;
    return made;
}

}  // namespace

ScheduleTrace::ScheduleTrace(simulate::Time nanosecond, Rank ranks_per_node,
                             std::vector<std::pair<std::uint8_t, std::uint8_t>> pairs)
    : nanosecond_(nanosecond), ranks_per_node_(ranks_per_node), pairs_(std::move(pairs)) {}

void ScheduleTrace::interval(const Interval& interval) {
    if (interval.start == interval.end) return;
    if (intervals_.size() == most)
        throw std::length_error("the time line has more than " + std::to_string(most) +
                                " intervals; take fewer ranks, or a part of the schedule");
    intervals_.push_back(interval);
}

std::uint64_t ScheduleTrace::process(const Interval& interval, Rank ranks) const {
    const bool shared = ranks_per_node_ > 1 && interval.resource != Resource::processor;
    return shared ? std::uint64_t{ranks} + interval.owner : interval.owner;
}

std::uint32_t ScheduleTrace::resource(const Interval& interval) const {
    const auto& [processor, interface] = pairs_.at(interval.pair);
    const std::uint32_t number = interval.resource == Resource::processor ? processor : interface;
    return number * resources + static_cast<std::uint32_t>(interval.resource);
}

std::string ScheduleTrace::json(Rank ranks) {
    const auto place = [&](const Interval& interval) {
        return std::tuple(process(interval, ranks), resource(interval), interval.start);
    };
    std::stable_sort(intervals_.begin(), intervals_.end(),
                     [&](const Interval& a, const Interval& b) { return place(a) < place(b); });

    TraceWriter trace;
    for (Rank rank = 0; rank < ranks; ++rank) trace.process(rank, "rank " + std::to_string(rank));
    std::set<std::uint64_t> nodes;
    std::map<std::pair<std::uint64_t, std::uint32_t>, Lanes> busy;
    std::set<std::pair<std::uint64_t, std::uint32_t>> threads;
    for (const auto& interval : intervals_) {
        const std::uint64_t of = process(interval, ranks);
        const std::uint32_t what = resource(interval);
        const std::uint32_t thread = what * lanes + busy[{of, what}].take(interval);
        if (of >= ranks && nodes.insert(of).second)
            trace.process(of, "node " + std::to_string(of - ranks));
        if (threads.emplace(of, thread).second) trace.thread(of, thread, name(what));
        const double microsecond = 1000.0 * static_cast<double>(nanosecond_);
        trace.busy(name(interval.operation), of, thread,
                   static_cast<double>(interval.start) / microsecond,
                   static_cast<double>(interval.end - interval.start) / microsecond,
                   arguments(interval, of >= ranks));
    }
    return trace.take();
}

}  // namespace lapwing

#include "lapwing/simulate/links/flow_group.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

using lapwing::simulate::Event;
using lapwing::simulate::Flow;
using lapwing::simulate::FlowGroup;
using lapwing::simulate::Time;

namespace {

Event numbered(std::uint32_t id) {
    Event message;
    message.id = id;
    return message;
}

Flow flow(std::uint32_t from, std::uint32_t to, Time early) {
    Flow flow;
    flow.from = from;
    flow.to = to;
    flow.early = early;
    return flow;
}

/// What happens in a group at the next time that it names.
struct Happened {
    Time time = 0;
    std::vector<std::uint32_t> there;  ///< messages that are delivered
    std::vector<std::uint32_t> over;   ///< messages whose links are free
};

Happened proceed(FlowGroup& group, Time now) {
    Happened happened;
    happened.time = now + std::llround(group.ticks_to_next(now));
    group.proceed(
        happened.time, [&](const Event& message) { happened.there.push_back(message.id); },
        [&](const Event& message) { happened.over.push_back(message.id); });
    return happened;
}

using Ids = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("flows of a group end by their shares of the link", "[simulate][links]") {
    FlowGroup group(flow(3, 5, 0));
    CHECK(group.carries(flow(3, 5, 0)));
    CHECK_FALSE(group.carries(flow(5, 3, 0)));
    CHECK_FALSE(group.carries(flow(3, 5, 1)));
    group.enter(numbered(1), 100, 0);
    group.set_rate(1, 0);
    CHECK(group.ticks_to_next(0) == 100);
    // Half of it has gone when two more come, the shorter last.
    group.enter(numbered(2), 100, 50);
    group.enter(numbered(3), 10, 50);
    group.set_rate(0.25, 50);
    CHECK(group.size() == 3);
    const Happened first = proceed(group, 50);
    CHECK(first.time == 50 + 40);
    CHECK((first.there == Ids{3} && first.over == Ids{3}));
    group.set_rate(0.5, 90);
    const Happened second = proceed(group, 90);
    CHECK(second.time == 90 + 80);
    CHECK(second.over == Ids{1});
    const Happened last = proceed(group, 170);
    CHECK(last.time == 170 + 100);
    CHECK(last.over == Ids{2});
    CHECK(group.size() == 0);
}

TEST_CASE("flows that end together do so at one time", "[simulate][links]") {
    FlowGroup group(flow(0, 1, 0));
    for (const std::uint32_t id : {1, 2, 3}) group.enter(numbered(id), 1000, 7);
    group.set_rate(1. / 3, 7);
    const Happened all = proceed(group, 7);
    CHECK(all.time == 7 + 3000);
    CHECK(all.over == Ids{1, 2, 3});
}

TEST_CASE("a message that is delivered early stays on its links", "[simulate][links]") {
    FlowGroup group(flow(0, 1, 30));
    group.enter(numbered(1), 100, 0);
    group.enter(numbered(2), 120, 0);
    group.set_rate(0.5, 0);
    const Happened there = proceed(group, 0);
    CHECK(there.time == 200 - 30);
    CHECK((there.there == Ids{1} && there.over.empty()));
    CHECK(group.size() == 2);
    CHECK(proceed(group, 170).time == 200);  // the first ends
    const Happened next = proceed(group, 200);
    CHECK(next.time == 240 - 30);
    CHECK(next.there == Ids{2});
    // It gets a higher rate: it ends sooner.
    group.set_rate(1, 210);
    const Happened over = proceed(group, 210);
    CHECK(over.time == 210 + 15);
    CHECK(over.over == Ids{2});
}

TEST_CASE("a message that is nearly complete when its rate grows is delivered at once",
          "[simulate][links]") {
    FlowGroup group(flow(0, 1, 30));
    group.enter(numbered(1), 100, 0);
    group.set_rate(0.5, 0);
    group.set_rate(1, 150);  // 25 to go, and it is delivered 30 before the end
    const Happened there = proceed(group, 150);
    CHECK(there.time == 150);
    CHECK(there.there == Ids{1});
    CHECK(proceed(group, 150).time == 175);
}

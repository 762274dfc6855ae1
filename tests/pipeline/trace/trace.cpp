#include "lapwing/pipeline/trace/trace.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <span>
#include <vector>

#include "lapwing/pipeline/feed.hpp"
#include "lapwing/pipeline/multi.hpp"
#include "lapwing/pipeline/pipeline.hpp"
#include "lapwing/pipeline/stream.hpp"
#include "support/plan.hpp"
#include "support/stub_transport.hpp"

using lapwing::Activity;
using lapwing::Buffer;
using lapwing::Messages;
using lapwing::Plan;
using lapwing::Trace;
using lapwing::test::plan_for;
using lapwing::test::StubTransport;

namespace {

/// How many events there are of each activity. Checks that they are numbered through, and that none
/// ends before it starts, or before the one recorded before it.
std::map<Activity, std::uint64_t> counts(const Trace& trace) {
    std::map<Activity, std::uint64_t> found;
    double end = 0;
    for (const auto& event : trace.events()) {
        CHECK(event.index == found[event.activity]++);
        CHECK(event.start <= event.end);
        CHECK(end <= event.end);
        end = event.end;
    }
    return found;
}

using Counts = std::map<Activity, std::uint64_t>;

}  // namespace

TEST_CASE("a pipeline's steps and messages are traced", "[pipeline]") {
    StubTransport transport;
    Trace trace;
    Plan plan = plan_for(23, 5, 3);
    const auto run = [&] {
        lapwing::pipeline(
            plan, 23,
            [](std::uint64_t step, Buffer& buffer) {
                buffer.append(&step, sizeof step);
                const double start = lapwing::now();
                while (lapwing::now() - start < 10e-6) {
                }
                lapwing::poll();
            },
            [&](Buffer& buffer) { return transport.send(buffer.data(), buffer.size(), 1, 0); },
            [](Buffer&) {}, trace);
    };
    run();
    CHECK(counts(trace) == Counts{{Activity::initiation, 5},
                                  {Activity::wait, 5},
                                  {Activity::computation, 23},
                                  {Activity::consumption, 5}});
    // A message is initiated after its steps, and awaited after the one that takes its buffer.
    std::vector<std::uint64_t> before;
    std::uint64_t steps = 0;
    for (const auto& event : trace.events()) {
        steps += event.activity == Activity::computation ? 1U : 0U;
        if (event.activity == Activity::initiation) before.push_back(steps);
    }
    CHECK(before == std::vector<std::uint64_t>{5, 10, 15, 20, 23});
    CHECK(trace.seconds(Activity::computation) >= 23 * 10e-6);
    CHECK(trace.seconds(Activity::poll) == 0);

    plan.poll_interval = 1e-9;
    run();
    CHECK(counts(trace)[Activity::computation] == 46);
    // Not in the first message's steps, when nothing is under way.
    CHECK(counts(trace)[Activity::poll] == 18);
}

TEST_CASE("a stream's pieces are traced, also where it is left early", "[pipeline]") {
    StubTransport transport({}, std::vector<std::byte>(2000));
    std::vector<double> data(50);
    const lapwing::Source source{transport, 1, std::span<double>(data)};
    Trace whole;
    for (const auto piece : lapwing::stream<double>(source, plan_for(50, 10, 2), whole))
        CHECK(!piece.data.empty());
    CHECK(counts(whole) ==
          Counts{{Activity::initiation, 5}, {Activity::wait, 5}, {Activity::consumption, 5}});
    Trace left;
    for (const auto piece : lapwing::stream<double>(source, plan_for(50, 10, 2), left))
        if (piece.first == 20) break;
    CHECK(counts(left) ==
          Counts{{Activity::initiation, 5}, {Activity::wait, 5}, {Activity::consumption, 3}});
}

TEST_CASE("feeds and streams from several ranks are traced", "[pipeline]") {
    StubTransport transport({}, std::vector<std::byte>(800));
    std::vector<double> data(100);
    Trace trace;
    lapwing::multi<double>(
        lapwing::Sources{transport, {4, 7}, std::span<double>(data)}, plan_for(50, 10, 2),
        [](const auto&) {}, trace);
    CHECK(counts(trace) ==
          Counts{{Activity::initiation, 10}, {Activity::wait, 10}, {Activity::consumption, 10}});
    lapwing::feed(transport, 1, std::span<const double>(data), plan_for(100, 10, 2), trace);
    CHECK(counts(trace) ==
          Counts{{Activity::initiation, 20}, {Activity::wait, 20}, {Activity::consumption, 10}});
}

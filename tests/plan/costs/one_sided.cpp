#include "lapwing/plan/costs/one_sided.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <utility>

#include "lapwing/plan/plan.hpp"
#include "lapwing/plan/workload.hpp"
#include "support/machine.hpp"

using lapwing::Direction;
using lapwing::MessageTransport;
using lapwing::Pattern;
using lapwing::Profile;
using lapwing::Workload;

namespace {

constexpr double short_send = 3e-6;     // of a short message
constexpr double short_receive = 2e-6;  // likewise
constexpr double wire_latency = 5e-6;   // one way
constexpr double initiation = 1e-6;     // a put or a get

/// A network with these costs, whose puts tell their target if they are `notified`.
Profile with_operations(bool notified) {
    Profile profile = lapwing::test::infiniband();
    profile.loggp.L = wire_latency;
    profile.loggp.o_s = short_send;
    profile.loggp.o_r = short_receive;
    profile.overhead = {{8}, {1}, {{short_send}}, {short_receive}};
    for (const std::string name : {"rput", "rget", "put_notified"}) {
        if (name == "put_notified" && !notified) continue;
        lapwing::OperationCosts operation;
        operation.name = name;
        operation.transport = "rma";
        operation.bursts = {1};
        for (const std::uint64_t size : {8U, 1U << 20U}) {
            const double wire = profile.loggp.G * static_cast<double>(size);
            operation.sizes.push_back(size);
            operation.latency.push_back(initiation + 2 * wire_latency);
            operation.overhead.push_back({initiation});
            operation.asymptotic.push_back(initiation);
            operation.bandwidth.push_back(static_cast<double>(size) / wire);
        }
        profile.operations.push_back(operation);
    }
    return profile;
}

Workload streamed(Direction direction, Pattern pattern = Pattern::stream, std::uint64_t ranks = 2) {
    return lapwing::complete({.volume = 1 << 20,
                              .compute = 1e-3,
                              .grain = 8,
                              .pattern = pattern,
                              .direction = direction,
                              .ranks = ranks});
}

}  // namespace

TEST_CASE("a put of a stream costs its initiation and one way", "[plan]") {
    for (const auto direction : {Direction::fetch, Direction::produce}) {
        const auto link =
            one_sided_costs(with_operations(true), streamed(direction), MessageTransport::put);
        CHECK(link.loggp.o_s == Approx(initiation));
        CHECK(link.loggp.o_r == 0);
        CHECK(link.loggp.L == Approx(wire_latency));
        CHECK(link.one_sided.acknowledgement == Approx(wire_latency));
        CHECK_FALSE(link.one_sided.pulled);
        CHECK_FALSE(link.protocol->eager);
    }
}

TEST_CASE("a put that nobody tells of is flushed and answered", "[plan]") {
    const auto link = one_sided_costs(with_operations(false), streamed(Direction::produce),
                                      MessageTransport::put);
    CHECK(link.loggp.o_s == Approx(initiation + short_send));
    CHECK(link.loggp.o_r == Approx(short_receive));
    CHECK(link.loggp.L == Approx(3 * wire_latency));  // there and back, and the answer
    // Who does nothing else waits for the flush.
    const auto alone =
        one_sided_costs(with_operations(false), streamed(Direction::fetch), MessageTransport::put);
    CHECK(alone.loggp.o_s == Approx(initiation + short_send + 2 * wire_latency));
    CHECK(alone.loggp.L == Approx(wire_latency));
    CHECK(moves_one_by_one(with_operations(false), MessageTransport::put));
    CHECK_FALSE(moves_one_by_one(with_operations(true), MessageTransport::put));
}

TEST_CASE("a get of a stream is a request and its data, and costs its receiver alone", "[plan]") {
    const auto link =
        one_sided_costs(with_operations(true), streamed(Direction::fetch), MessageTransport::get);
    CHECK(link.one_sided.pulled);
    CHECK(link.loggp.o_s == 0);
    CHECK(link.loggp.o_r == Approx(initiation));
    CHECK(link.loggp.L == Approx(2 * wire_latency));
    CHECK(link.protocol->eager == 0U);  // it waits for its reader
    // Where all ranks read, each pays for what it asks for.
    const auto exchange =
        one_sided_costs(with_operations(true), streamed(Direction::fetch, Pattern::alltoall, 4),
                        MessageTransport::get);
    CHECK_FALSE(exchange.one_sided.pulled);
    CHECK(exchange.loggp.o_s == Approx(initiation));
    CHECK(exchange.loggp.o_r == 0);
}

TEST_CASE("what is computed message by message is announced to who reads it", "[plan]") {
    const auto told =
        one_sided_costs(with_operations(true), streamed(Direction::produce), MessageTransport::get);
    CHECK(told.loggp.o_s == Approx(initiation));  // a put of nothing
    CHECK(told.loggp.o_r == Approx(initiation));
    CHECK(told.loggp.L == Approx(3 * wire_latency));
    const auto sent = one_sided_costs(with_operations(false), streamed(Direction::produce),
                                      MessageTransport::get);
    CHECK(sent.loggp.o_s == Approx(short_send));
    CHECK(sent.loggp.o_r == Approx(short_receive + initiation));
    CHECK(sent.loggp.L == Approx(3 * wire_latency));
}

TEST_CASE("a stream begins with an offer, and its reader says its end", "[plan]") {
    const double crossing = short_send + wire_latency + short_receive;
    const Profile profile = with_operations(true);
    const auto ends = [&](const Workload& each, MessageTransport transport) {
        return stream_ends(profile, each, transport);
    };
    const auto put = ends(streamed(Direction::fetch), MessageTransport::put);
    CHECK(put.before == Approx(crossing));
    CHECK(put.after == 0);
    const auto get = ends(streamed(Direction::fetch), MessageTransport::get);
    CHECK(get.before == Approx(crossing));
    CHECK(get.after == Approx(crossing));
    const auto made = ends(streamed(Direction::produce), MessageTransport::put);
    CHECK(made.before == Approx(short_receive));
    CHECK(made.offered == Approx(short_send + wire_latency));
    // Rank 0 says the ends of seven streams, one after another.
    const auto several = ends(streamed(Direction::fetch, Pattern::multi, 8), MessageTransport::get);
    CHECK(several.after == Approx(crossing + 6 * short_send));
    // Each of eight ranks makes seven offers before it looks for one.
    const auto all = ends(streamed(Direction::fetch, Pattern::alltoall, 8), MessageTransport::put);
    CHECK(all.before == Approx(7 * short_send + short_receive));
}

TEST_CASE("UCX's ranks tell each other by puts", "[plan]") {
    Profile profile = with_operations(false);
    for (auto& operation : profile.operations) {
        operation.transport = "ucx";
        operation.name = operation.name == "rput" ? "put" : "get";
    }
    const auto put =
        one_sided_costs(profile, streamed(Direction::produce), MessageTransport::ucx_put);
    CHECK(put.loggp.o_s == Approx(2 * initiation));  // the data, and a counter
    CHECK(put.loggp.o_r == 0);
    CHECK(put.loggp.L == Approx(wire_latency));
    CHECK_FALSE(moves_one_by_one(profile, MessageTransport::ucx_put));
    const auto announced =
        one_sided_costs(profile, streamed(Direction::produce), MessageTransport::ucx_get);
    CHECK(announced.loggp.o_s == Approx(initiation));
    CHECK(announced.loggp.o_r == Approx(initiation));
    CHECK(announced.loggp.L == Approx(3 * wire_latency));
    // The offer is a put, and so is the end.
    const auto ends = stream_ends(profile, streamed(Direction::fetch), MessageTransport::ucx_get);
    CHECK(ends.before == Approx(initiation + wire_latency));
    CHECK(ends.after == Approx(initiation + wire_latency));
}

TEST_CASE("each edge of a halo that nothing waits for is offered by itself", "[plan]") {
    Workload halo = streamed(Direction::fetch, Pattern::halo, 4);
    halo.dependence = lapwing::Dependence::loose;
    halo.peers = 2;
    const auto put = one_sided_costs(with_operations(true), halo, MessageTransport::put);
    CHECK(put.loggp.o_s == Approx(short_receive + initiation));
    CHECK(put.loggp.o_r == Approx(short_send));
    CHECK(put.loggp.L == Approx(wire_latency));
    const auto get = one_sided_costs(with_operations(true), halo, MessageTransport::get);
    CHECK(get.loggp.o_s == Approx(short_receive + initiation));
    CHECK(get.loggp.o_r == Approx(2 * short_send + short_receive));
    CHECK(get.loggp.L == Approx(2 * wire_latency));
    // The first offer is here when both of this rank are made, and have crossed.
    const auto ends = stream_ends(with_operations(true), halo, MessageTransport::get);
    CHECK(ends.before == Approx(wire_latency - short_send));
    CHECK(ends.after == Approx(wire_latency));
}

TEST_CASE("over a wire of a millisecond, puts and gets come near what nothing can beat", "[plan]") {
    Profile profile = with_operations(true);
    profile.loggp.L = 1e-3;
    for (auto& operation : profile.operations)
        for (double& latency : operation.latency) latency = initiation + 2e-3;
    const double wire = profile.loggp.G * (1 << 20);
    for (const auto transport : {MessageTransport::put, MessageTransport::get}) {
        for (const auto direction : {Direction::fetch, Direction::produce}) {
            for (const double ratio : {0.5, 1.0, 2.0}) {
                Workload workload = streamed(direction);
                workload.compute = ratio * wire;
                workload.transport = transport;
                const auto plan = lapwing::plan(profile, workload);
                INFO(plan.transport << ", ratio " << ratio);
                // A producer that is not done with its first message waits for the offer.
                const bool stalls = direction == Direction::produce && ratio > 1 &&
                                    transport == MessageTransport::put;
                CHECK(plan.predicted <= (stalls ? 1.1 : 1.02) * plan.limit);
                CHECK(plan.predicted >= plan.limit * (1 - 1e-9));
                // An offer has crossed before all else, or while the first message was computed.
                CHECK(plan.predicted > wire + 2e-3);
            }
        }
    }
}

TEST_CASE("initiations that waited in a full queue are not those of a plan", "[plan]") {
    Profile profile = with_operations(true);
    for (auto& operation : profile.operations) {
        operation.bursts = {1, 16};
        for (auto& seconds : operation.overhead) seconds = {initiation, 9 * initiation};
    }
    const auto o_s = [&] {
        return one_sided_costs(profile, streamed(Direction::fetch), MessageTransport::put)
            .loggp.o_s;
    };
    CHECK(o_s() == Approx(9 * initiation));
    profile.queue_depth = 8;
    CHECK(o_s() == Approx(initiation));
}

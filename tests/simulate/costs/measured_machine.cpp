#include "lapwing/simulate/costs/measured_machine.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <string>

#include "lapwing/io/goal.hpp"
#include "lapwing/profile/table.hpp"
#include "lapwing/simulate/collectives/make_collective.hpp"
#include "lapwing/simulate/costs/message_costs.hpp"
#include "lapwing/simulate/costs/protocol_switches.hpp"
#include "lapwing/simulate/program/unroll.hpp"
#include "lapwing/simulate/simulate.hpp"
#include "simulate/links/links.hpp"

using lapwing::goal_from_text;
using lapwing::interpolate;
using lapwing::Log3P;
using lapwing::Nic;
using lapwing::Profile;
using lapwing::Protocol;
using lapwing::simulate::collective_algorithms;
using lapwing::simulate::collective_operations;
using lapwing::simulate::CollectiveChoice;
using lapwing::simulate::make_collective;
using lapwing::simulate::MeasuredMachine;
using lapwing::simulate::Rank;
using lapwing::simulate::Result;
using lapwing::simulate::simulate;
using lapwing::simulate::tables_of;
using lapwing::simulate::Time;
using lapwing::simulate::Timings;
using lapwing::simulate::unroll;
using lapwing::simulate::with_switches;
using lapwing::test::finish;
using lapwing::test::links_alone;

namespace {

/// Tables in which the wire takes over from the processors at large messages.
Profile machine() {
    Profile profile;
    profile.loggp = {.L = 5e-6, .o_s = 1e-6, .o_r = 1.5e-6, .g = 1.5e-6, .G = 1e-9};
    profile.overhead = {.sizes = {8, 100000},
                        .bursts = {1, 8},
                        .send = {{1e-6, 0.9e-6}, {3e-6, 2.9e-6}},
                        .receive = {1.5e-6, 4e-6}};
    profile.bandwidth = {.sizes = {8, 10000, 100000},
                         .unidirectional = {8e6, 0.8e9, 1e9},
                         .bidirectional = {8e6, 1e9, 2e9}};
    profile.latency = {.sizes = {8, 10000, 100000},
                       .half_round_trip = {8e-6, 21e-6, 115e-6},
                       .bandwidth = {8e6, 0.5e9, 0.9e9}};
    profile.pairs = {{.name = "within a node",
                      .ranks = {0, 1},
                      .loggp = {.L = 0.5e-6, .o_s = 0.2e-6, .o_r = 0.3e-6, .g = 0, .G = 0.1e-9},
                      .error = {},
                      .sizes = {8, 100000},
                      .half_round_trip = {1e-6, 12e-6},
                      .bandwidth = {16e6, 9e9}}};
    return profile;
}

double microseconds(Time time) { return static_cast<double>(time) / 1e6; }

Result collective(const char* operation, const char* algorithm, Rank ranks, std::uint64_t size,
                  Rank ranks_per_node = 1) {
    const auto made = make_collective(CollectiveChoice{
        .operation = operation, .algorithm = algorithm, .ranks = ranks, .size = size});
    return simulate(*made, MeasuredMachine(machine(), ranks_per_node));
}

}  // namespace

TEST_CASE("a message by itself takes what was measured", "[simulate][measured]") {
    CHECK(microseconds(collective("bcast", "linear", 2, 8).finish) == Approx(8));
    CHECK(microseconds(collective("bcast", "linear", 2, 10000).finish) == Approx(21));
    CHECK(microseconds(collective("bcast", "linear", 2, 100000).finish) == Approx(115));
    // Linear between the sizes that were measured; beyond them at the last bandwidth, with
    // overheads that grow as before.
    CHECK(microseconds(collective("bcast", "linear", 2, 55000).finish) == Approx(68));
    CHECK(microseconds(collective("bcast", "linear", 2, 200000).finish) ==
          Approx(115 + 100 + 2 + 2.5));
    // Within a node as the pair of ranks there.
    CHECK(microseconds(collective("bcast", "linear", 2, 8, 2).finish) == Approx(1));
    CHECK(microseconds(collective("bcast", "linear", 2, 100000, 2).finish) == Approx(12));
}

TEST_CASE("a receive overhead beyond a whole message does not make it longer",
          "[simulate][measured]") {
    Profile profile = machine();
    // Through memory: a receiver that comes late finds the message in another processor's cache.
    profile.overhead.receive = {9.5e-6, 9.5e-6};
    const auto made = [](std::uint64_t size) {
        return make_collective(CollectiveChoice{
            .operation = "bcast", .algorithm = "linear", .ranks = 2, .size = size});
    };
    CHECK(microseconds(simulate(*made(8), MeasuredMachine(profile, 1)).finish) == Approx(8));
    CHECK(microseconds(simulate(*made(10000), MeasuredMachine(profile, 1)).finish) == Approx(21));
}

TEST_CASE("a link gives credit after it was idle", "[simulate][measured]") {
    // A shaper: 100 us of the wire pass at once, so round trips are shorter than a flood suggests.
    Profile profile = machine();
    profile.bandwidth.unidirectional = {8e6, 0.1e9, 0.1e9};
    profile.overhead.send = {{1e-6, 0.9e-6}, {1e-6, 0.9e-6}};
    profile.overhead.receive = {1.5e-6, 1.5e-6};
    profile.latency->half_round_trip = {8e-6, 8e-6, 908e-6};
    const MeasuredMachine shaped(profile, 1);
    CHECK(microseconds(shaped.credit()) == Approx(94.5));
    const auto last = [&](Rank ranks, std::uint64_t size) {
        const auto made = make_collective(CollectiveChoice{
            .operation = "scatter", .algorithm = "linear", .ranks = ranks, .size = size});
        return microseconds(simulate(*made, shaped).finish);
    };
    // A message takes what was measured.
    CHECK(last(2, 10000) == Approx(8));
    CHECK(last(2, 100000) == Approx(908));
    // The first of two messages uses up the credit; the second gets what has been saved since.
    CHECK(last(3, 10000) > 100);
    CHECK(last(3, 10000) < 115);
    CHECK(last(3, 100000) == Approx(908 + 1000));
}

TEST_CASE("processors work while a message is under way", "[simulate][measured]") {
    // A receiver that processes bytes as they arrive, behind a shaper that lets 80 us pass at once:
    // 10 ns of the wire and 2 ns of the receiver's processor for each byte.
    Profile profile = machine();
    profile.loggp.G = 10e-9;
    profile.overhead = {.sizes = {}, .bursts = {1}, .send = {}, .receive = {}};
    profile.bandwidth = {};
    profile.latency->sizes.clear();
    profile.latency->half_round_trip.clear();
    for (std::uint64_t size = 8; size <= 1 << 20; size *= 2) {
        const auto bytes = static_cast<double>(size);
        const double processor = 3e-6 + 2e-9 * bytes;
        const double wire = std::max(0.0, 10e-9 * bytes - 80e-6);
        profile.overhead.sizes.push_back(size);
        profile.overhead.send.push_back({3e-6});
        profile.overhead.receive.push_back(processor);
        profile.bandwidth.sizes.push_back(size);
        profile.bandwidth.unidirectional.push_back(bytes / std::max(10e-9 * bytes, processor));
        profile.latency->sizes.push_back(size);
        profile.latency->half_round_trip.push_back(5e-6 + std::max(2e-9 * bytes, wire));
    }
    profile.bandwidth.bidirectional = profile.bandwidth.unidirectional;
    const MeasuredMachine streaming(profile, 1);
    CHECK(microseconds(streaming.credit()) == Approx(80).margin(8));
    const auto seconds = [&](const char* operation, const char* algorithm, std::uint64_t size) {
        const auto made = make_collective(CollectiveChoice{
            .operation = operation, .algorithm = algorithm, .ranks = 2, .size = size});
        return microseconds(simulate(*made, streaming).finish);
    };
    // A message takes what was measured, although its overheads alone are longer.
    for (std::size_t i = 0; i < profile.latency->sizes.size(); ++i) {
        INFO(profile.latency->sizes[i]);
        CHECK(seconds("bcast", "linear", profile.latency->sizes[i]) ==
              Approx(1e6 * profile.latency->half_round_trip[i]).epsilon(0.01));
    }
    // Into however many messages it is split, the wire gives its 80 us once.
    for (const std::uint64_t size : {1 << 17, 1 << 20}) {
        const double wire = 10e-3 * static_cast<double>(size) - 80;
        CHECK(seconds("bcast", "pipelined", size) > 0.97 * wire);
        CHECK(seconds("bcast", "pipelined", size) < 1.1 * wire + 30);
    }
}

TEST_CASE("a message by itself may take less than each of a flood", "[simulate][measured]") {
    // Each message of a flood takes 100 us, one by itself 30.
    Profile profile = machine();
    profile.nic = Nic::sharing;
    profile.overhead.send = {{1e-6, 0.9e-6}, {1e-6, 0.9e-6}};
    profile.overhead.receive = {1.5e-6, 1.5e-6};
    profile.latency->half_round_trip = {8e-6, 12e-6, 30e-6};
    profile.pairs[0].half_round_trip = {1e-6, 5e-6};
    const MeasuredMachine costs(profile, 1);
    const auto last = [&](const char* operation, Rank ranks, const MeasuredMachine& on) {
        const auto made = make_collective(CollectiveChoice{
            .operation = operation, .algorithm = "linear", .ranks = ranks, .size = 100000});
        return microseconds(simulate(*made, on).finish);
    };
    const double flood = microseconds(costs.cost(0, 1, 100000).wire);
    CHECK(flood > 95);
    CHECK(last("bcast", 2, costs) == Approx(30));
    // With several, the links are free when a flood of them would end.
    CHECK(last("scatter", 4, costs) == Approx(30 + 2 * flood).epsilon(0.03));
    CHECK(last("gather", 4, costs) == Approx(30 + 2 * flood).epsilon(0.03));
    // One after the other, each behind what the one before it still needs.
    const auto chain =
        simulate(goal_from_text("num_ranks 2\nrank 0 {\na: send 100000b to 1 tag 0\n"
                                "b: recv 8b from 1 tag 1\nc: send 100000b to 1 tag 2\n"
                                "b requires a\nc requires b\n}\n"
                                "rank 1 {\na: recv 100000b from 0 tag 0\nb: send 8b to 0 tag 1\n"
                                "c: recv 100000b from 0 tag 2\nb requires a\n}\n"),
                 costs);
    CHECK(microseconds(chain.finish) > 30 + 8 + 30 + 20);
    CHECK(microseconds(chain.finish) < 30 + 2 * flood);
    // Within a node, too.
    CHECK(last("bcast", 2, MeasuredMachine(profile, 2)) == Approx(5));
}

TEST_CASE("messages contend for the interfaces at both ends", "[simulate][measured]") {
    // Nine messages of 100 us on the wire, one after another, into one rank and out of one. The
    // first to be received arrives last.
    const double one = 115;
    CHECK(microseconds(collective("gather", "linear", 10, 100000).finish) ==
          Approx(one + 8 * (100 + 4)));
    CHECK(microseconds(collective("scatter", "linear", 10, 100000).finish) == Approx(one + 800));
    // Ranks with an interface each do not contend; on one node they share it.
    const auto pairs = [](Rank ranks_per_node) {
        std::string goal = "num_ranks 8\n";
        for (int rank = 0; rank < 4; ++rank)
            goal += "rank " + std::to_string(rank) + " {\nsend 100000b to " +
                    std::to_string(rank + 4) + "\n}\n";
        for (int rank = 4; rank < 8; ++rank)
            goal += "rank " + std::to_string(rank) + " {\nrecv 100000b from " +
                    std::to_string(rank - 4) + "\n}\n";
        return simulate(goal_from_text(goal), MeasuredMachine(machine(), ranks_per_node));
    };
    CHECK(microseconds(pairs(1).finish) == Approx(115));
    CHECK(microseconds(pairs(2).finish) == Approx(215));
    CHECK(microseconds(pairs(4).finish) == Approx(415));
}

TEST_CASE("short messages are paced by the processors", "[simulate][measured]") {
    CHECK(microseconds(collective("gather", "linear", 11, 8).finish) == Approx(8 + 9 * 1.51));
    CHECK(microseconds(collective("scatter", "linear", 11, 8).finish) == Approx(8 + 9 * 1.0));
}

TEST_CASE("a profile with nothing but LogGP is enough", "[simulate][measured]") {
    Profile profile;
    profile.loggp = {.L = 5e-6, .o_s = 1e-6, .o_r = 1.5e-6, .g = 1.5e-6, .G = 1e-9};
    const auto made =
        make_collective({.operation = "bcast", .algorithm = "linear", .ranks = 2, .size = 1000});
    CHECK(microseconds(simulate(*made, MeasuredMachine(profile, 1)).finish) == Approx(8.5));
    CHECK_THROWS_WITH(MeasuredMachine(profile, 2), Catch::Contains("--ppn 2 or more measures it"));
}

TEST_CASE("generated and written out schedules end together on a measured machine, too",
          "[simulate][measured]") {
    for (const auto& operation : collective_operations()) {
        for (const auto& algorithm : collective_algorithms(operation)) {
            for (const Rank ranks_per_node : {1U, 3U}) {
                INFO(operation << " " << algorithm);
                const auto made = make_collective(
                    {.operation = operation, .algorithm = algorithm, .ranks = 13, .size = 20000});
                const MeasuredMachine costs(machine(), ranks_per_node);
                const auto generated = simulate(*made, costs);
                CHECK(generated.rank_finish == simulate(unroll(*made), costs).rank_finish);
            }
        }
    }
}

TEST_CASE("a message that waits for its receive leaves when both are there",
          "[simulate][measured]") {
    const std::string goal =
        "num_ranks 2\n"
        "rank 0 {\nl1: send 100000b to 1\nl2: calc 1000\nl2 requires l1\n}\n"
        "rank 1 {\nl1: calc 50000\nl2: recv 100000b from 0\nl2 requires l1\n}\n";
    auto profile = links_alone(Nic::serialising);
    profile.protocol.emplace();
    // The message is there before its receive. It waits from 50000 bytes on, or always.
    CHECK(finish(goal, profile) == std::vector<double>{1, 110});
    profile.protocol->eager = 50000;
    CHECK(finish(goal, profile) == std::vector<double>{1, 160});
    profile.protocol->eager = 0;
    CHECK(finish(goal, profile) == std::vector<double>{1, 160});
    // Its send waits, too, and all that follows it.
    profile.protocol->buffered = 50000;
    CHECK(finish(goal, profile) == std::vector<double>{161, 160});
    profile.protocol->eager = 100000;
    profile.protocol->buffered = 100000;
    CHECK(finish(goal, profile) == std::vector<double>{1, 110});
}

TEST_CASE("a processor sends all messages of a step before it receives any",
          "[simulate][measured]") {
    Profile profile;
    profile.loggp = {.L = 1e-6, .o_s = 3e-6, .o_r = 2e-6, .g = 0, .G = 1e-12};
    const auto made =
        make_collective({.operation = "alltoall", .algorithm = "linear", .ranks = 4, .size = 1});
    // Two messages have arrived when the third is sent, and the third arrives while the first is
    // received.
    CHECK(microseconds(simulate(*made, MeasuredMachine(profile, 1)).finish) ==
          Approx(3 * 3 + 3 * 2).epsilon(1e-4));
}

TEST_CASE("of overheads that begin and end at one time the last to begin ends first",
          "[simulate][measured]") {
    // The root receives the messages from the last rank down, and so they arrive: only the overhead
    // of the last is left when the wire is free.
    Profile profile;
    profile.loggp = {.L = 1e-6, .o_s = 1e-6, .o_r = 3e-6, .g = 0, .G = 1e-9};
    const auto made =
        make_collective({.operation = "reduce", .algorithm = "linear", .ranks = 5, .size = 10000});
    CHECK(microseconds(simulate(*made, MeasuredMachine(profile, 1)).finish) ==
          Approx(2 + 4 * 10 + 3));
}

namespace {

/// The order, as in SimGrid, in which messages of three ranks arrive at the root. All three do the
/// same before: the letters of `steps` are a computation, a send or a receive.
std::string order_after(const std::string& steps) {
    std::string goal = "num_ranks 4\nrank 0 {\n";
    for (const char* rank : {"1", "2", "3"}) {
        goal += std::string("recv 10000b from ") + rank + " tag 99\n";
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const std::string tag = " tag " + std::to_string(i) + "\n";
            if (steps[i] == 'S') goal += std::string("recv 0b from ") + rank + tag;
            if (steps[i] == 'R') goal += std::string("send 0b to ") + rank + tag;
        }
    }
    goal += "}\n";
    for (int rank = 1; rank < 4; ++rank) {
        goal += "rank " + std::to_string(rank) + " {\n";
        for (std::size_t i = 0; i <= steps.size(); ++i) {
            const std::string number = std::to_string(i);
            const std::string label = "l" + number;
            if (i == steps.size()) {
                goal += label + ": send 10000b to 0 tag 99\n";
            } else if (steps[i] == 'C') {
                goal += label + ": calc 4000\n";
            } else {
                goal += label +
                        (steps[i] == 'S' ? ": send 0b to 0 tag " : ": recv 0b from 0 tag ") +
                        number + "\n";
            }
            if (i > 0)
                goal += label + (steps[i - 1] == 'C' ? " requires l" : " irequires l") +
                        std::to_string(i - 1) + "\n";
        }
        goal += "}\n";
    }
    Profile profile;
    profile.loggp = {.L = 1e-6, .o_s = 1e-6, .o_r = 0, .g = 0, .G = 1e-9};
    profile.protocol = Protocol{};
    profile.protocol->eager = 0;
    profile.protocol->buffered = 0;
    const auto finished = finish(goal, profile);
    std::string order = "123";
    std::sort(order.begin(), order.end(), [&](char a, char b) {
        return finished[static_cast<std::size_t>(a - '0')] <
               finished[static_cast<std::size_t>(b - '0')];
    });
    return order;
}

}  // namespace

TEST_CASE("computations that end together keep their order, overheads of messages reverse it",
          "[simulate][measured]") {
    CHECK(order_after("") == "321");
    CHECK(order_after("S") == "123");
    CHECK(order_after("SS") == "321");
    CHECK(order_after("C") == "321");
    CHECK(order_after("CC") == "321");
    CHECK(order_after("SC") == "123");
    CHECK(order_after("SCS") == "321");
}

TEST_CASE("receives that are posted when processors become free keep the order of these",
          "[simulate][measured]") {
    CHECK(order_after("R") == order_after(""));
    CHECK(order_after("SR") == order_after("S"));
    CHECK(order_after("SRS") == order_after("SS"));
    CHECK(order_after("CR") == order_after("C"));
}

TEST_CASE("the envelope of a message counts for a short one, too", "[simulate][measured]") {
    // Messages of 4 KB and more occupy the wire longer than the processors; each has 16 bytes more.
    Profile profile;
    profile.loggp = {.L = 5e-6, .o_s = 1.5e-6, .o_r = 1.5e-6, .g = 0, .G = 1e-9};
    profile.latency.emplace();
    for (const std::uint64_t size : {8, 4096, 8192}) {
        profile.bandwidth.sizes.push_back(size);
        const double takes = std::max(1.5e-6, 1e-9 * static_cast<double>(size + 16));
        profile.bandwidth.unidirectional.push_back(static_cast<double>(size) / takes);
        profile.latency->sizes.push_back(size);
        profile.latency->half_round_trip.push_back(8e-6 + 1e-9 * static_cast<double>(size + 16));
    }
    const MeasuredMachine machine(profile, 1);
    CHECK(machine.cost(0, 1, 2400).wire == Approx(2416000));
    CHECK(machine.cost(0, 1, 8192).wire == Approx(8208000));
    // More than a fiftieth of the message is no envelope.
    profile.bandwidth.unidirectional[1] = 4096 / 4.3e-6;
    CHECK(MeasuredMachine(profile, 1).cost(0, 1, 2048).wire == Approx(2150000));
}

TEST_CASE("a known jump between two sizes is no slope", "[simulate][measured]") {
    Profile profile = machine();
    profile.overhead = {};
    profile.bandwidth = {};
    profile.loggp = {.L = 0, .o_s = 0, .o_r = 0, .g = 0, .G = 1e-9};
    profile.latency = {
        .sizes = {1000, 2000}, .half_round_trip = {10e-6, 21e-6}, .bandwidth = {1e8, 1e8}};
    profile.protocol.emplace();
    profile.protocol->switches = {1500};
    profile.protocol->switch_costs = {10e-6};
    const auto takes = [&](std::uint64_t size) {
        const auto made = make_collective(
            {.operation = "bcast", .algorithm = "linear", .ranks = 2, .size = size});
        return microseconds(simulate(*made, MeasuredMachine(profile, 1)).finish);
    };
    CHECK(takes(1000) == Approx(10));
    CHECK(takes(1500) == Approx(10.5));
    CHECK(takes(1501) == Approx(20.501));
    CHECK(takes(2000) == Approx(21));
}

TEST_CASE("where the credit ends a message by itself still takes what was measured",
          "[simulate][measured]") {
    // The credit is 12.8 us, the time of 12,800 bytes: between two sizes of the tables.
    Profile profile;
    profile.loggp = {.L = 2e-6, .o_s = 1e-6, .o_r = 1e-6, .g = 0, .G = 1e-9};
    profile.bandwidth = {
        .sizes = {8192, 16384, 65536}, .unidirectional = {1e9, 1e9, 1e9}, .bidirectional = {}};
    const std::vector<std::uint64_t> sizes{8, 8192, 16384, 65536};
    std::vector<double> trips;
    for (const auto size : sizes)
        trips.push_back(4e-6 + std::max(0.0, 1e-9 * static_cast<double>(size) - 12.8e-6));
    profile.latency = {.sizes = sizes, .half_round_trip = trips, .bandwidth = {1, 1, 1, 1}};
    const MeasuredMachine costs(profile, 1);
    for (const std::uint64_t size : {100U, 9000U, 12000U, 12799U, 12800U, 12801U, 15000U, 40000U}) {
        const auto made = make_collective(
            {.operation = "bcast", .algorithm = "linear", .ranks = 2, .size = size});
        INFO(size);
        CHECK(microseconds(simulate(*made, costs).finish) ==
              Approx(1e6 * interpolate(sizes, trips, static_cast<double>(size))).epsilon(1e-4));
    }
}

TEST_CASE("overheads are continued up to a switch from before it, and back to it from behind it",
          "[simulate][measured]") {
    Profile profile;
    profile.overhead = {.sizes = {1024, 2048, 4096, 8192},
                        .bursts = {1},
                        .send = {{1e-6}, {2e-6}, {30e-6}, {34e-6}},
                        .receive = {3e-6, 3e-6, 3e-6, 3e-6}};
    profile.loggp = {.L = 2e-6, .o_s = 1e-6, .o_r = 3e-6, .g = 0, .G = 1e-12};
    const auto send = [&](std::uint64_t size) {
        return static_cast<double>(MeasuredMachine(profile, 1).cost(0, 1, size).send) * 1e-6;
    };
    CHECK(send(3072) == Approx(16));  // without a switch
    profile.protocol.emplace().switches = {3072};
    profile.protocol->switch_costs = {26e-6};
    CHECK(send(2560) == Approx(2.5));
    CHECK(send(3072) == Approx(3));
    CHECK(send(3073) == Approx(29).epsilon(1e-4));
    CHECK(send(3584) == Approx(29.5).epsilon(1e-4));
    CHECK(send(1500) == Approx(1 + 476 / 1024.0));
    CHECK(send(6144) == Approx(32));
}

TEST_CASE("a slope much steeper than both its neighbours belongs to the switch",
          "[simulate][measured]") {
    // 21 us more, of which the switch is known to be 10: the lines on either side rise by 1, and
    // this one by no more than 2.
    Protocol protocol;
    protocol.switches = {2500};
    protocol.switch_costs = {10e-6};
    const Timings table =
        with_switches({{1000, 2000, 3000, 4000}, {9e-6, 10e-6, 31e-6, 32e-6}}, protocol);
    CHECK(table.sizes == std::vector<std::uint64_t>{1000, 2000, 2500, 2501, 3000, 4000});
    CHECK(table.seconds[2] == Approx(11e-6));
    CHECK(table.seconds[3] == Approx(30.002e-6));
}

TEST_CASE("processors are busy for what a stride adds", "[simulate][measured]") {
    Profile profile = machine();
    profile.log3p = Log3P{.sizes = {100000},
                          .strides = {64},
                          .element = 8,
                          .T_mem = {0},
                          .o_mw = {15e-6},
                          .o_net = {100e-6},
                          .peer = {115e-6},
                          .l_mw = {{90e-6}},
                          .packing = {{50e-6}},
                          .remote = {{175e-6}},
                          .packed = {{215e-6}},
                          .isolated = {115e-6},
                          .isolated_strided = {{175e-6}},
                          .isolated_packed = {{215e-6}},
                          .ratio = {{205.0 / 175}},
                          .crossover = {std::nullopt}};
    const auto takes = [&](const char* operation, Rank ranks, std::uint64_t stride) {
        const auto made = make_collective(
            {.operation = operation, .algorithm = "linear", .ranks = ranks, .size = 100000});
        return microseconds(
            simulate(*made, MeasuredMachine(
                                profile, {.ranks_per_node = 1, .topology = {}, .stride = stride}))
                .finish);
    };
    CHECK(takes("bcast", 2, 8) == Approx(115));
    CHECK(takes("bcast", 2, 64) == Approx(115 + 60));
    CHECK(takes("bcast", 2, 1 << 20) == Approx(115 + 60));
    // The second leaves when both are packed: the first has left the wire by then.
    CHECK(takes("bcast", 3, 64) == Approx(115 + 60 + 100));
    profile.log3p.reset();
    CHECK_THROWS_WITH(takes("bcast", 2, 64), Catch::Contains("calibrate --only log3p"));
}

TEST_CASE("calculations are in nanoseconds on every machine", "[simulate][measured]") {
    const auto graph = goal_from_text("num_ranks 1\nrank 0 {\ncalc 1234\n}\n");
    CHECK(microseconds(simulate(graph, MeasuredMachine(machine(), 1)).finish) == Approx(1.234));
}

TEST_CASE("a machine made from tables is the one made from their profile", "[simulate]") {
    Profile profile = machine();
    Protocol& protocol = profile.protocol.emplace();
    protocol.switches = {20000};
    protocol.switch_costs = {3e-6};
    protocol.eager = 20000;
    profile.topology = lapwing::Topology{
        .nodes = 8, .below = 4, .uplinks = 2, .near = 4e-6, .far = 6e-6, .reason = {}};
    const MeasuredMachine measured(profile, 1);
    const MeasuredMachine made(
        {.between_nodes = tables_of(profile), .topology = profile.topology, .within_node = {}},
        {.topology = {}, .stride = {}});
    for (const std::uint64_t size : {0, 1, 8, 19999, 20001, 100000, 5000000}) {
        CHECK(made.alone(size) == measured.alone(size));
        CHECK(made.cost(0, 1, size).wire == measured.cost(0, 1, size).wire);
        CHECK(made.waits(size) == measured.waits(size));
        CHECK(made.rendezvous(0, 1, size) == measured.rendezvous(0, 1, size));
    }
    CHECK(made.farthest() == measured.farthest());
    CHECK(made.credit() == measured.credit());
    CHECK_THROWS_AS(
        MeasuredMachine({.between_nodes = tables_of(profile), .topology = {}, .within_node = {}},
                        {.ranks_per_node = 2, .topology = {}, .stride = {}}),
        std::invalid_argument);
}

namespace {

/// 1 us to send, 5 us to the links, no time on them, 1.5 us to receive.
Profile with_unexpected() {
    Profile profile;
    profile.loggp = {.L = 5e-6, .o_s = 1e-6, .o_r = 1.5e-6, .g = 1e-6, .G = 0};
    profile.collectives = lapwing::CollectiveCosts{};
    profile.collectives->unexpected = 2e-6;
    profile.collectives->unexpected_per_byte = 1e-9;
    return profile;
}

/// Rank 1 calculates before it posts the receive of a message of 1,000 bytes.
double received_after(const Profile& profile, const char* nanoseconds) {
    const auto graph =
        goal_from_text(std::string("num_ranks 2\nrank 0 {\nsend 1000b to 1 tag 0\n}\n"
                                   "rank 1 {\nl1: calc ") +
                       nanoseconds + "\nl2: recv 1000b from 0 tag 0\nl2 requires l1\n}\n");
    return microseconds(simulate(graph, MeasuredMachine(profile, 1)).rank_finish[1]);
}

}  // namespace

TEST_CASE("an unexpected message is copied, one that is expected is not", "[simulate][measured]") {
    const Profile profile = with_unexpected();
    // It arrives after 6 us.
    CHECK(received_after(profile, "0") == Approx(6 + 1.5));
    CHECK(received_after(profile, "5900") == Approx(6 + 1.5));
    CHECK(received_after(profile, "6100") == Approx(6.1 + 1.5 + 3));
    Profile without = profile;
    without.collectives.reset();
    CHECK(received_after(without, "6100") == Approx(6.1 + 1.5));
}

TEST_CASE("a message that waits for its receive is never unexpected", "[simulate][measured]") {
    Profile profile = with_unexpected();
    profile.protocol.emplace().eager = 999;
    CHECK(received_after(profile, "6100") == Approx(6.1 + 5 + 1.5));
    profile.protocol->eager = 1000;
    CHECK(received_after(profile, "6100") == Approx(6.1 + 1.5 + 3));
}

TEST_CASE("messages are unexpected where a rank asks for one after the other",
          "[simulate][measured]") {
    const auto last = [](const char* operation, Nic nic) {
        Profile profile = with_unexpected();
        profile.nic = nic;
        const auto made = make_collective(CollectiveChoice{
            .operation = operation, .algorithm = "linear", .ranks = 5, .size = 1000});
        return microseconds(simulate(*made, MeasuredMachine(profile, 1)).finish);
    };
    for (const Nic nic : {Nic::serialising, Nic::sharing}) {
        // The root has asked for the first of four when all arrive.
        CHECK(last("gather", nic) == Approx(6 + 4 * 1.5 + 3 * 3));
        // Each rank posts all of its receives before it waits for one.
        CHECK(last("alltoall", nic) < 4 + 5 + 8 * 1.5);
    }
}

TEST_CASE("schedules that are written out have the same unexpected messages",
          "[simulate][measured]") {
    const MeasuredMachine machine(with_unexpected(), 1);
    for (const char* algorithm : {"linear", "binomial", "k-nomial"}) {
        const auto made = make_collective(CollectiveChoice{
            .operation = "gather", .algorithm = algorithm, .ranks = 13, .size = 1000});
        CHECK(simulate(*made, machine).finish == simulate(unroll(*made), machine).finish);
    }
}

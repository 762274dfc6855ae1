#include "lapwing/simulate/costs/copies.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "lapwing/io/goal.hpp"
#include "lapwing/simulate/costs/measured_machine.hpp"
#include "lapwing/simulate/simulate.hpp"

using lapwing::CollectiveCosts;
using lapwing::goal_from_text;
using lapwing::Log3P;
using lapwing::Nic;
using lapwing::Profile;
using lapwing::simulate::MeasuredMachine;
using lapwing::simulate::simulate;
using lapwing::simulate::Topology;

namespace {

/// A network whose every part would show in the time of a message: nothing of it may.
Profile network() {
    Profile profile;
    profile.loggp = {.L = 5e-6, .o_s = 1e-6, .o_r = 1.5e-6, .g = 1.5e-6, .G = 1e-9};
    return profile;
}

Log3P copies_table() {
    Log3P table;
    table.sizes = {1000, 2000};
    table.T_mem = {1e-6, 2e-6};
    table.o_mw = {9e-6, 12e-6};
    return table;
}

/// Microseconds of one message of a rank to itself, the only one of the schedule.
double takes(const Profile& profile, std::uint64_t bytes,
             const MeasuredMachine::Options& options = {.topology = {}, .stride = {}}) {
    const std::string size = std::to_string(bytes) + "b";
    const auto graph = goal_from_text("num_ranks 2\nrank 0 {\n}\nrank 1 {\nl1: send " + size +
                                      " to 1 tag 0\nl2: recv " + size + " from 1 tag 0\n}\n");
    const auto result = simulate(graph, MeasuredMachine(profile, options));
    CHECK(result.messages == 1);
    CHECK(result.rank_finish[0] == 0);
    return 1e6 * MeasuredMachine::seconds(result.finish);
}

}  // namespace

TEST_CASE("a message of a rank to itself is a copy in memory", "[simulate][measured]") {
    Profile profile = network();
    CHECK(takes(profile, 0) == Approx(2.5));
    // Nothing says how fast memory is copied: as on the network, without its latency.
    CHECK(takes(profile, 1000) == Approx(2.5 + 1));
    profile.kernels = {{"fft", 1e9}, {"copy", 8e9}};
    CHECK(takes(profile, 8000) == Approx(2.5 + 1));
    CHECK(takes(profile, 8'000'000'000) == Approx(2.5 + 1e6));
    profile.collectives = CollectiveCosts{};  // of a simulated cluster: copies were not measured
    CHECK(takes(profile, 8000) == Approx(2.5 + 1));
    profile.collectives->copy = 0.5e-9;
    CHECK(takes(profile, 8000) == Approx(2.5 + 4));
}

TEST_CASE("log_3P tables say what a message of a rank to itself takes", "[simulate][measured]") {
    Profile profile = network();
    profile.kernels = {{"copy", 8e9}};
    profile.log3p = copies_table();
    CHECK(takes(profile, 1000) == Approx(10));
    CHECK(takes(profile, 1500) == Approx(12));
    CHECK(takes(profile, 2000) == Approx(14));
    CHECK(takes(profile, 3000) == Approx(18));
    CHECK(takes(profile, 0) == Approx(2.5));
    CHECK(takes(profile, 500) == Approx(6.25));
    profile.log3p->o_mw = {0.5e-6, 0.5e-6};  // quicker than the overheads of a message to a peer
    CHECK(takes(profile, 0) == Approx(1.5));
    CHECK(takes(profile, 1000) == Approx(1.5));
}

TEST_CASE("a message of a rank to itself takes no interface", "[simulate][measured]") {
    Profile profile = network();
    profile.kernels = {{"copy", 8e9}};
    const double alone = takes(profile, 8000);
    for (const Nic nic : {Nic::serialising, Nic::sharing}) {
        profile.nic = nic;
        CHECK(takes(profile, 8000) == Approx(alone));
        // On any topology, and on a node with other ranks, too.
        CHECK(takes(profile, 8000,
                    {.topology = Topology::from_text("torus:4x4,hop=1us"), .stride = {}}) ==
              Approx(alone));
        profile.pairs = {{.name = "within a node",
                          .ranks = {0, 1},
                          .loggp = {.L = 7e-6, .o_s = 3e-6, .o_r = 3e-6, .g = 0, .G = 1e-9},
                          .error = {},
                          .sizes = {8},
                          .half_round_trip = {13e-6},
                          .bandwidth = {1e6}}};
        CHECK(takes(profile, 8000, {.ranks_per_node = 2, .topology = {}, .stride = {}}) ==
              Approx(alone));
        profile.pairs.clear();
    }
}

TEST_CASE("a message of a rank to itself may wait for its receive", "[simulate][measured]") {
    Profile profile = network();
    profile.kernels = {{"copy", 8e9}};
    profile.protocol.emplace();
    profile.protocol->eager = 1000;
    CHECK(takes(profile, 8000) == Approx(2.5 + 1));
}

#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "lapwing/profile/profile.hpp"
#include "random.hpp"

namespace lapwing::test {

/// What was seen to advance, and how far apart the polls were, seconds.
inline Progress advancing(AsyncProgress advance, double poll_interval) {
    Progress progress;
    static_cast<AsyncProgress&>(progress) = std::move(advance);
    progress.poll_interval = poll_interval;
    return progress;
}

/// An InfiniBand of 2006: what most examples by hand use.
inline Profile infiniband() {
    Profile profile;
    profile.loggp = {.L = 5e-6, .o_s = 1.5e-6, .o_r = 1.5e-6, .g = 1.5e-6, .G = 1 / 750e6};
    return profile;
}

/// The environment in which the three indicators have these values, seconds.
inline Environment environment(double cache_line, double core_throughput, double syscall) {
    return {{{"cache_line_seconds", cache_line, 1.4},
             {"core_throughput_seconds", core_throughput, 1.15},
             {"syscall_seconds", syscall, 1.12}}};
}

/// A profile with every field filled, no two numbers alike.
inline Profile full_profile() {
    Profile profile;
    profile.machine = {{"mpi", "An MPI 1.0"}, {"hosts", "a, b"}, {"cores", "64"}};
    profile.loggp = {.L = 5.1e-6, .o_s = 1.2e-6, .o_r = 1.3e-6, .g = 1.4e-6, .G = 1.0 / 3e9};
    profile.error = {.L = 0.011, .o_s = 0.012, .o_r = 0.013, .g = 0.014, .G = 0.015};
    profile.overhead = {.sizes = {8, 1024, 65536},
                        .bursts = {1, 8},
                        .send = {{1.1e-6, 1.2e-6}, {1.5e-6, 1.6e-6}, {7.1e-6, 7.3e-6}},
                        .receive = {0.9e-6, 1.9e-6, 8.3e-6}};
    profile.bandwidth = {.sizes = {8, 65536, 1048576},
                         .unidirectional = {7e6, (0.1 + 0.2) * 9e9, 3e9},
                         .bidirectional = {8e6, 2.1e9, 4e9}};
    profile.progress = advancing({.sizes = {8, 65536},
                                  .without_polling = {1, 1.0 / 3},
                                  .with_polling = {0.99, 0.7},
                                  .window = {4, 16}},
                                 2e-5);
    profile.progress.exposed_time = {{.traffic = Traffic::both,
                                      .computation = 1,
                                      .independent = false,
                                      .sizes = {1024, 65536},
                                      .exposed = {4.1e-6, 1e-4 / 7},
                                      .exposed_polled = {3.9e-6, 2.5e-5},
                                      .window = {2, 8}},
                                     {.traffic = Traffic::both,
                                      .computation = 0.5,
                                      .independent = false,
                                      .sizes = {1024, 65536},
                                      .exposed = {4.2e-6, 2.9e-5},
                                      .exposed_polled = {4.1e-6, 2.7e-5},
                                      .window = {2, 2}},
                                     {.traffic = Traffic::both,
                                      .computation = 1,
                                      .independent = true,
                                      .sizes = {1024, 65536},
                                      .exposed = {4.3e-6, 2.3e-5},
                                      .exposed_polled = {4.4e-6, 2.1e-5},
                                      .window = {32, 64}},
                                     {.traffic = Traffic::receive,
                                      .computation = 1.5,
                                      .independent = false,
                                      .sizes = {1024, 65536},
                                      .exposed = {2.1e-6, 9.9e-6},
                                      .exposed_polled = {2.2e-6, 9.7e-6},
                                      .window = {9, 10}}};
    profile.progress.O_s = 1.1e-13;
    profile.progress.O_r = 1.2e-13;
    profile.progress.O_both = 1.3e-13;
    profile.nic = Nic::sharing;
    profile.queue_depth = 64;
    profile.queue_depth_reason = "";
    profile.fingerprint = "6b1c";
    profile.clock_ratio = 0.875;
    profile.in_order_up_to = 16384;
    profile.latency = {
        .sizes = {8, 65536}, .half_round_trip = {8.1e-6, 31e-6}, .bandwidth = {6e6, 2.9e9}};
    profile.plogp = {.L = 4.4e-6,
                     .sizes = {1, 1024},
                     .send = {1.01e-6, 1.51e-6},
                     .receive = {1.02e-6, 1.92e-6},
                     .gap = {1.43e-6, 1.99e-6}};
    profile.log3p = {.sizes = {1024, 65536},
                     .strides = {16, 1024},
                     .element = 8,
                     .T_mem = {0.1e-6, 6.6e-6},
                     .o_mw = {0.7e-6, 2.7e-6},
                     .o_net = {5.7e-6, 25.7e-6},
                     .peer = {6.4e-6, 28.4e-6},
                     .l_mw = {{0.3e-6, 0.9e-6}, {15e-6, 95e-6}},
                     .packing = {{0.21e-6, 0.61e-6}, {11e-6, 71e-6}},
                     .remote = {{6.3e-6, 7.1e-6}, {40e-6, 119e-6}},
                     .packed = {{6.8e-6, 7.6e-6}, {50e-6, 170e-6}},
                     .isolated = {7.9e-6, 29.4e-6},
                     .isolated_strided = {{8.3e-6, 9.1e-6}, {42e-6, 121e-6}},
                     .isolated_packed = {{8.8e-6, 9.6e-6}, {52e-6, 172e-6}},
                     .ratio = {{1.06, 1.03}, {0.92, 1.04}},
                     .crossover = {std::nullopt, 65536}};
    profile.protocol = {.switches = {4096, 65536},
                        .switch_costs = {2.2e-6, -1e-7},
                        .switches_reason = "",
                        .outstanding = 4194304,
                        .outstanding_reason = "",
                        .completion_depth = std::nullopt,
                        .completion_depth_reason = "none seen",
                        .eager = 4096,
                        .eager_overtakes = true,
                        .buffered = std::nullopt};
    profile.topology = {.nodes = 64,
                        .below = 8,
                        .uplinks = 4,
                        .near = 5.5e-6,
                        .far = 8e-6,
                        .reason = "",
                        .interconnect = "fat-tree:8,4,64",
                        .placement = "spread"};
    profile.operations = {{.name = "put",
                           .transport = "rma",
                           .sizes = {8, 65536},
                           .bursts = {1, 16},
                           .latency = {9.1e-6, 33e-6},
                           .overhead = {{0.8e-6, 0.6e-6}, {0.81e-6, 0.62e-6}},
                           .asymptotic = {0.55e-6, 0.56e-6},
                           .gap = 0.77e-6,
                           .bandwidth = {9e6, 2.8e9}}};
    profile.pairs = {
        {.name = "within a node",
         .ranks = {0, 1},
         .loggp = {.L = 0.3e-6, .o_s = 0.1e-6, .o_r = 0.12e-6, .g = 0.13e-6, .G = 1e-10},
         .error = {.L = 0.031, .o_s = 0.032, .o_r = 0.033, .g = 0.034, .G = 0.035},
         .sizes = {8, 65536},
         .half_round_trip = {0.6e-6, 9e-6},
         .bandwidth = {5e7, 8e9},
         .bidirectional = {9e7, 1.5e10}}};
    profile.imported = {{.table = "latency.half_round_trip",
                         .logs = {{"osu_latency.txt", "OSU micro-benchmarks", "7.5"}},
                         .sizes = {8, 65536},
                         .values = {3, 1},
                         .low = {5.9e-6, 3.1e-5},
                         .high = {6.2e-6, 3.1e-5}}};
    profile.patterns = {{.pattern = "cross-bisection",
                         .processes = {2, 64},
                         .sizes = {65536},
                         .slowest = {{1.0e-9}, {4.1e-9}},
                         .fastest = {{0.9e-9}, {2.1e-9}},
                         .fairness = {{1}, {0.93}}}};
    profile.collectives.emplace();
    profile.collectives->node_copy = 2e-11;
    profile.collectives->unexpected = 3e-7;
    profile.collectives->unexpected_per_byte = 1.25e-10;
    profile.collectives->low = 0.8;
    profile.collectives->high = 1.5;
    profile.algorithms = {{"allreduce", "ring", {8, 4096}, {1.5, 0.75}}};
    profile.kernels = {{"add", 4e9}, {"fft", 2e9}};
    profile.environment = {{"loggp", environment(27e-9, 4.1e-6, 9.1e-6)},
                           {"latency", environment(28e-9, 4.2e-6, 9.2e-6)}};
    profile.interpolated = {"overhead.send[2][1]"};
    profile.warnings = {"one", "two"};
    return profile;
}

/// Any machine: slow or fast, overheads flat or growing with the size, tables or none.
inline Profile any_machine(Random& random) {
    Profile profile;
    auto& p = profile.loggp;
    p.L = random.log_uniform(0.1e-6, 1e-3);
    p.o_s = random.log_uniform(10e-9, 100e-6);
    p.o_r = random.log_uniform(10e-9, 100e-6);
    p.g = p.o_s;
    p.G = random.log_uniform(0.01e-9, 100e-9);
    if (random.chance(0.5)) {
        const double send = random.chance(0.5) ? random.uniform(0, 2) * p.G : 0;
        const double receive = random.chance(0.5) ? random.uniform(0, 2) * p.G : 0;
        auto& table = profile.overhead;
        table.bursts = {1, 8, 64};
        for (std::uint64_t size = 8; size <= 8 << 20; size *= 8) {
            const auto bytes = static_cast<double>(size);
            const double cost = p.o_s + send * bytes;
            table.sizes.push_back(size);
            table.send.push_back({2 * cost, 1.5 * cost, cost});
            table.receive.push_back(p.o_r + receive * bytes);
        }
    }
    if (random.chance(0.3)) profile.queue_depth = static_cast<int>(random.integer(1, 128));
    if (random.chance(0.3)) profile.nic = Nic::sharing;
    return profile;
}

}  // namespace lapwing::test

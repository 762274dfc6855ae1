#pragma once

#include <cstdint>
#include <vector>

#include "lapwing/profile/profile.hpp"
#include "random.hpp"

namespace lapwing::test {

/// An InfiniBand of 2006: what most examples by hand use.
inline Profile infiniband() {
    Profile profile;
    profile.loggp = {.L = 5e-6, .o_s = 1.5e-6, .o_r = 1.5e-6, .g = 1.5e-6, .G = 1 / 750e6};
    return profile;
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
                         .unidirectional = {7e6, 0.1 + 0.2, 3e9},
                         .bidirectional = {8e6, 2.1e9, 4e9}};
    profile.progress = {.sizes = {8, 65536},
                        .unattended = {1, 1.0 / 3},
                        .polled = {0.99, 0.7},
                        .window = {4, 16},
                        .poll_interval = 2e-5};
    profile.nic = Nic::sharing;
    profile.queue_depth = 64;
    profile.queue_depth_reason = "";
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

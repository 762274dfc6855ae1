#pragma once

#include <cmath>
#include <vector>

#include "lapwing/fft/options.hpp"
#include "lapwing/profile/profile.hpp"
#include "support/machine.hpp"

// The machine and the options of forecasts that tests make.
namespace lapwing::test::transforms {

inline constexpr double flops = 2e9;   ///< of the kernel "fft", a second
inline constexpr double copied = 5e9;  ///< bytes that it copies a second

/// An InfiniBand cluster whose kernels were measured.
inline Profile machine() {
    Profile profile = infiniband();
    profile.kernels = {{"fft", flops}, {"copy", copied}};
    return profile;
}

/// What puts cost on it. `each`: seconds of a put in a long train.
inline std::vector<OperationCosts> put_costs(double each = 1.5e-6) {
    return {{.name = "put",
             .transport = "rma",
             .sizes = {8, 65536},
             .bursts = {1},
             .latency = {13e-6, 100e-6},
             .overhead = {{1.5e-6}, {1.5e-6}},
             .asymptotic = {each, each},
             .gap = 1.5e-6,
             .bandwidth = {5e6, 700e6}}};
}

/// Seconds to transform a complex line of `n` elements.
inline double line(double n) { return 5 * n * std::log2(n) / flops; }

inline fft::Options way(fft::Schedule schedule, fft::Transport transport) {
    fft::Options options;
    options.schedule = schedule;
    options.transport = transport;
    return options;
}

}  // namespace lapwing::test::transforms

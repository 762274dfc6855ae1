#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "lapwing/calibrate/ranks/rank_pair.hpp"
#include "lapwing/calibrate/sampling/sample_interleaved.hpp"
#include "lapwing/calibrate/sampling/status.hpp"
#include "lapwing/compute/memory_copy.hpp"
#include "lapwing/compute/rates.hpp"
#include "lapwing/compute/vector_add.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// A computation whose rate is measured.
struct Kernel {
    std::string name;           ///< as the profile names it
    double amount = 0;          ///< of one run: bytes, or floating-point operations
    std::function<void()> run;  ///< called on rank 0
};

/// The kernels that need no library: `b[i] = a[i] + s` and a copy, both on more data than caches
/// keep, so that they are bound by memory.
class MemoryKernels {
  public:
    /// Adds them to `kernels`, which must not be run after this object is gone.
    void add_to(std::vector<Kernel>& kernels) {
        constexpr auto bytes = static_cast<double>(elements * sizeof(double));
        kernels.push_back(
            {"add", bytes, [this] { add_(a_.data(), b_.data(), 0, elements, [] {}); }});
        kernels.push_back({MemoryCopy::name, bytes,
                           [this] { copy_(b_.data(), a_.data(), elements * sizeof(double)); }});
    }

  private:
    static constexpr std::size_t elements = std::size_t{8} << 20;  // 64 MB

    std::vector<double> a_ = std::vector<double>(elements, 1.0);
    std::vector<double> b_ = std::vector<double>(elements);
    // One pass; where time is simulated, at the rate of the cluster's cores.
    VectorAdd add_ = simulated_time ? VectorAdd(1 / simulated_rate("add"), 1) : VectorAdd(1, 1);
    MemoryCopy copy_;
};

/// Measures what one core does a second of each kernel, on rank 0 alone, and adds it to
/// `profile.kernels`. Rank 1 needs no kernels.
template <Transport T>
void measure_kernels(TransportPair<T>& pair, const std::vector<Kernel>& kernels,
                     const SamplingGoal& goal, NoiseCounts& noise, const StatusCallback& report,
                     Profile& profile) {
    T& transport = pair.transport();
    const auto count = pair.from_first(static_cast<double>(kernels.size()));
    std::vector<Series> series(static_cast<std::size_t>(count), Series(pair.clock_speed()));
    const auto times = medians(sample_interleaved(
        pair, std::move(series), goal, noise,
        [&](double share) {
            if (report) report(share, "compute kernels");
        },
        [&](std::size_t i) {
            if (!pair.first()) return 0.0;
            const double start = transport.now();
            kernels[i].run();
            return transport.now() - start;
        }));
    if (!pair.first()) return;
    for (std::size_t i = 0; i < times.size(); ++i)
        profile.kernels.emplace_back(kernels[i].name, kernels[i].amount / times[i]);
}

}  // namespace lapwing

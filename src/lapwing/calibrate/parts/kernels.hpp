#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "lapwing/calibrate/sampling/sampling.hpp"
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
/// keep, so that memory limits them.
class MemoryKernels {
  public:
    /// Adds them to `kernels`, which must not be run after this object is gone.
    void add_to(std::vector<Kernel>& kernels);

  private:
    static constexpr std::size_t elements = std::size_t{8} << 20;  // 64 MB

    std::vector<double> a_ = std::vector<double>(elements, 1.0);
    std::vector<double> b_ = std::vector<double>(elements);
    // One pass; where time is simulated, at the rate of the cluster's cores.
    VectorAdd add_ = simulated_time ? VectorAdd(1 / simulated_rate("add"), 1) : VectorAdd(1, 1);
    MemoryCopy copy_;
};

/// Measures what one core does a second of each kernel, on rank 0 alone, and adds it to
/// `profile.kernels`. Both ranks call it; rank 1 needs no kernels.
void measure_kernels(const Sampling& sampling, const std::vector<Kernel>& kernels,
                     Profile& profile);

}  // namespace lapwing

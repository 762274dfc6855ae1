#pragma once

#include <complex>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "lapwing/fft/options.hpp"

namespace lapwing::ft {

/// One class of the NAS Parallel Benchmark FT (Bailey et al. 1991).
struct Problem {
    char name;
    std::size_t nx, ny, nz;  ///< elements; x is contiguous in memory
    int iterations;

    /// The same as the transform has it: the contiguous axis last.
    [[nodiscard]] fft::Size size() const { return {nz, ny, nx}; }
    [[nodiscard]] double elements() const {
        return static_cast<double>(nx) * static_cast<double>(ny) * static_cast<double>(nz);
    }
};

/// The class of that name; none where there is no such class.
[[nodiscard]] std::optional<Problem> find_problem(std::string_view name);

/// What the checksum of each iteration of a class has to be.
[[nodiscard]] std::vector<std::complex<double>> expected_checksums(const Problem& problem);

/// Whether `found` is the checksum `expected`, to a relative error of 1e-12.
[[nodiscard]] bool verified(std::complex<double> found, std::complex<double> expected);

}  // namespace lapwing::ft

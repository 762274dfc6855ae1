#pragma once

#include <complex>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "lapwing/fft/options.hpp"

namespace lapwing::nas::ft {

/// A class of the benchmark FT of the NAS Parallel Benchmarks (Bailey et al. 1991).
struct Problem {
    char name;
    std::size_t nx, ny, nz;  ///< elements; x is contiguous in memory
    int iterations;

    /// The size for `fft::Transform`, with the contiguous axis last.
    [[nodiscard]] fft::Size size() const { return {nz, ny, nx}; }
    [[nodiscard]] double elements() const {
        return static_cast<double>(nx) * static_cast<double>(ny) * static_cast<double>(nz);
    }
};

/// The class of that name, or nothing if there is none.
[[nodiscard]] std::optional<Problem> find_problem(std::string_view name);

/// The checksum that each iteration of a class must have.
[[nodiscard]] std::vector<std::complex<double>> expected_checksums(const Problem& problem);

/// Whether `found` equals the checksum `expected` to a relative error of 1e-12.
[[nodiscard]] bool verified(std::complex<double> found, std::complex<double> expected);

}  // namespace lapwing::nas::ft

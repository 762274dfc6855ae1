#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace lapwing::nas::mg {

/// Coefficients of a stencil of 27 points: of the centre, and of its neighbours that share a face,
/// an edge and a corner with it.
using Stencil = std::array<double, 4>;

/// A class of the benchmark MG of the NAS Parallel Benchmarks (Bailey et al. 1991): V-cycles for
/// Poisson's equation in a periodic cube.
struct Problem {
    char name;
    std::size_t side;  ///< grid points, a power of two
    int iterations;
    double expected;  ///< L2 norm of the last residual, as the benchmark publishes it

    [[nodiscard]] std::vector<std::size_t> size() const { return {side, side, side}; }
    [[nodiscard]] double points() const {
        const auto n = static_cast<double>(side);
        return n * n * n;
    }
    /// The operations of a run, as the benchmark counts them.
    [[nodiscard]] double operations() const { return 58 * points() * iterations; }
    /// The operator A, Poisson's.
    [[nodiscard]] static constexpr Stencil equation() { return {-8.0 / 3, 0, 1.0 / 6, 1.0 / 12}; }
    /// The smoother S: an approximate inverse of A.
    [[nodiscard]] Stencil smoother() const;
};

/// The class of that name. Throws `std::invalid_argument` if there is none.
[[nodiscard]] Problem find_problem(std::string_view name);

/// Whether a norm equals the published one to a relative error of 1e-8, as the benchmark asks.
[[nodiscard]] bool verified(const Problem& problem, double norm);

}  // namespace lapwing::nas::mg

#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace lapwing::nas::cg {

/// A class of the benchmark CG of the NAS Parallel Benchmarks (Bailey et al. 1991): the smallest
/// eigenvalue of a sparse matrix, by inverse iteration. Each iteration solves a system by
/// conjugate gradients.
struct Problem {
    char name;
    std::size_t rows;
    std::size_t nonzeros;  ///< of the sparse vectors that the matrix is made of
    int iterations;
    double shift;  ///< the matrix is shifted by it, and so is the eigenvalue
    double zeta;   ///< the eigenvalue that the benchmark publishes

    static constexpr int steps = 25;            ///< of conjugate gradients, in each iteration
    static constexpr double condition = 0.1;    ///< of the matrix: its smallest eigenvalue
    static constexpr double tolerance = 1e-10;  ///< relative error of zeta

    [[nodiscard]] std::vector<std::size_t> size() const { return {rows}; }
    /// Floating-point operations of a run, as the benchmark counts them.
    [[nodiscard]] double operations() const;
    /// Expected nonzeros in a part of the matrix, of so many rows and columns. The places are
    /// random; the diagonal has none but nonzeros.
    [[nodiscard]] double expected_nonzeros(std::size_t part_rows, std::size_t part_columns) const;
};

/// The class of that name. Throws `std::invalid_argument` if there is none.
[[nodiscard]] Problem find_problem(std::string_view name);

}  // namespace lapwing::nas::cg

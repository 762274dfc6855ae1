#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "problem.hpp"

namespace lapwing::nas::cg {

/// The benchmark's matrix: a weighted sum of the outer products of random sparse vectors with
/// themselves, shifted. Row by row, so that a rank makes no others than its own.
class RandomMatrix {
  public:
    struct Entry {
        std::uint32_t column;
        double value;
    };
    /// In place of a column that is left out.
    static constexpr auto none = static_cast<std::uint32_t>(-1);

    explicit RandomMatrix(const Problem& problem);

    /// The nonzeros of a row, by ascending number of column. `number`: the number that each column
    /// of the matrix gets, below the number of columns, or `none`.
    void row(std::size_t row, std::span<const std::uint32_t> number, std::vector<Entry>& entries);

  private:
    /// A nonzero of the vector of that index.
    struct Use {
        std::uint32_t vector;
        double value;
    };

    void find_uses();

    Problem problem_;
    // The nonzeros of all vectors, and where each vector begins.
    std::vector<Entry> vectors_;
    std::vector<std::size_t> begins_;
    std::vector<double> weights_;
    // The same by row, and where each row begins.
    std::vector<Use> uses_;
    std::vector<std::size_t> rows_;
    std::vector<double> sums_;  ///< of the row that is made, by number of column
    std::vector<bool> touched_;
};

}  // namespace lapwing::nas::cg

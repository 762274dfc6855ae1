#include "block.hpp"

#include <algorithm>

#include "../common/independent.hpp"
#include "lapwing/pipeline/window/poll.hpp"

namespace lapwing::nas::cg {
namespace {

constexpr std::size_t lines_between_polls = 16;  // about 1 us

/// Calls `visit(row)` with the number in the matrix of each row or column of a block, in the order
/// of its `slices`, from the one in place `range.begin` up to, and without, `range.end`.
template <class Visit>
void for_each_line(const RankGrid& grid, const std::vector<Slice>& slices, Range range,
                   Visit&& visit) {
    for (const auto& [rank, place] : slices)
        for (std::size_t i = std::max(place.begin, range.begin); i < std::min(place.end, range.end);
             ++i)
            visit(grid.elements(rank).begin + i - place.begin);
}

/// The place in the block of each row or column of the matrix that is one of `range`.
std::vector<std::uint32_t> places(const Problem& problem, const RankGrid& grid,
                                  const std::vector<Slice>& slices, Range range) {
    std::vector<std::uint32_t> all(problem.rows, RandomMatrix::none);
    std::size_t place = range.begin;
    for_each_line(grid, slices, range,
                  [&](std::size_t line) { all[line] = static_cast<std::uint32_t>(place++); });
    return all;
}

/// A row of a sparse matrix times a vector. Four sums hide the latency of additions.
double row_times(const double* values, const std::uint32_t* columns, std::size_t count,
                 const double* vector) {
    double a = 0;
    double b = 0;
    double c = 0;
    double d = 0;
    std::size_t k = 0;
    for (; k + 4 <= count; k += 4) {
        a += values[k] * vector[columns[k]];
        b += values[k + 1] * vector[columns[k + 1]];
        c += values[k + 2] * vector[columns[k + 2]];
        d += values[k + 3] * vector[columns[k + 3]];
    }
    for (; k < count; ++k) a += values[k] * vector[columns[k]];
    return (a + b) + (c + d);
}

/// Adds `factor` times a column of a sparse matrix to `sums`.
void add_column(const double* values, const std::uint32_t* rows, std::size_t count, double factor,
                double* sums) {
    LAPWING_INDEPENDENT  // no row is there twice
        for (std::size_t k = 0; k < count; ++k) sums[rows[k]] += factor * values[k];
}

}  // namespace

void Block::Lines::reserve(std::size_t lines, double nonzeros) {
    begins_.reserve(lines + 1);
    places_.reserve(static_cast<std::size_t>(nonzeros));
    values_.reserve(static_cast<std::size_t>(nonzeros));
}

void Block::Lines::append(std::span<const RandomMatrix::Entry> entries) {
    for (const auto& [place, value] : entries) {
        places_.push_back(place);
        values_.push_back(value);
    }
    begins_.push_back(values_.size());
}

Block::Block(const Problem& problem, const RankGrid& grid, const std::vector<Range>& groups)
    : groups_(groups.size()) {
    RandomMatrix matrix(problem);
    const auto rows = grid.row_slices();
    const auto columns = grid.column_slices();
    const Range all_rows{0, rows.back().place.end};
    const auto reserve = [&](Lines& part, std::size_t lines, std::size_t length) {
        constexpr double fluctuation = 1.05;
        part.reserve(lines, fluctuation * problem.expected_nonzeros(lines, length));
    };
    std::vector<RandomMatrix::Entry> entries;
    // The matrix is symmetric: its columns are its rows.
    const auto row_places = places(problem, grid, rows, all_rows);
    for (std::size_t i = 0; i < groups.size(); ++i) {
        firsts_.push_back(groups[i].begin);
        reserve(groups_[i], groups[i].length(), all_rows.length());
        for_each_line(grid, columns, groups[i], [&](std::size_t column) {
            matrix.row(column, row_places, entries);
            groups_[i].append(entries);
        });
    }
    const Range others{groups.empty() ? 0 : groups.back().end, columns.back().place.end};
    reserve(rows_, all_rows.length(), others.length());
    const auto column_places = places(problem, grid, columns, others);
    for_each_line(grid, rows, all_rows, [&](std::size_t row) {
        matrix.row(row, column_places, entries);
        rows_.append(entries);
    });
}

void Block::add_group(std::size_t group, const double* vector, double* sums) const {
    const Lines& columns = groups_[group];
    for (std::size_t i = 0; i < columns.lines(); ++i) {
        add_column(columns.values(i), columns.places(i), columns.length(i),
                   vector[firsts_[group] + i], sums);
        if (i % lines_between_polls == 0) poll();
    }
}

void Block::add_rows(Range rows, const double* vector, double* sums) const {
    for (std::size_t row = rows.begin; row < rows.end; ++row) {
        sums[row] += row_times(rows_.values(row), rows_.places(row), rows_.length(row), vector);
        if (row % lines_between_polls == 0) poll();
    }
}

}  // namespace lapwing::nas::cg

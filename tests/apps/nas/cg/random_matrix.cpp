#include "../../../../apps/nas/cg/random_matrix.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <vector>

using namespace lapwing::nas::cg;

namespace {

using Rows = std::vector<std::vector<RandomMatrix::Entry>>;

Rows rows_of(const char* name) {
    const Problem problem = find_problem(name);
    RandomMatrix matrix(problem);
    std::vector<std::uint32_t> all(problem.rows);
    std::iota(all.begin(), all.end(), 0U);
    Rows rows(problem.rows);
    for (std::size_t row = 0; row < rows.size(); ++row) matrix.row(row, all, rows[row]);
    return rows;
}

std::size_t nonzeros(const Rows& rows) {
    std::size_t count = 0;
    for (const auto& row : rows) count += row.size();
    return count;
}

using Vector = std::vector<double>;

Vector product(const Rows& rows, const Vector& vector) {
    Vector sums;
    for (const auto& row : rows) {
        double sum = 0;
        for (const auto& [column, value] : row) sum += value * vector[column];
        sums.push_back(sum);
    }
    return sums;
}

double dot(const Vector& a, const Vector& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// The solution by the textbook's conjugate gradients.
Vector solved(const Rows& rows, const Vector& right) {
    Vector solution(right.size());
    Vector residual = right;
    Vector direction = right;
    for (int step = 0; step < Problem::steps; ++step) {
        const Vector q = product(rows, direction);
        const double before = dot(residual, residual);
        const double alpha = before / dot(direction, q);
        for (std::size_t i = 0; i < right.size(); ++i) {
            solution[i] += alpha * direction[i];
            residual[i] -= alpha * q[i];
        }
        const double beta = dot(residual, residual) / before;
        for (std::size_t i = 0; i < right.size(); ++i)
            direction[i] = residual[i] + beta * direction[i];
    }
    return solution;
}

}  // namespace

TEST_CASE("NAS CG's matrix has the nonzeros that the benchmark reports, and is symmetric") {
    const Rows rows = rows_of("S");
    CHECK(nonzeros(rows) == 78'148);
    CHECK(nonzeros(rows_of("W")) == 508'402);
    for (std::uint32_t row = 0; row < rows.size(); row += 7)
        for (const auto& [column, value] : rows[row]) {
            const auto& other = rows[column];
            const auto mirrored = std::find_if(
                other.begin(), other.end(), [=](const auto& entry) { return entry.column == row; });
            REQUIRE(mirrored != other.end());
            REQUIRE(mirrored->value == Approx(value).epsilon(1e-13));
        }
}

TEST_CASE("Columns of a row are numbered or left out") {
    const Problem problem = find_problem("S");
    RandomMatrix matrix(problem);
    std::vector<std::uint32_t> odd(problem.rows, RandomMatrix::none);
    for (std::uint32_t column = 1; column < problem.rows; column += 2)
        odd[column] = (static_cast<std::uint32_t>(problem.rows) - 1 - column) / 2;
    std::vector<RandomMatrix::Entry> some;
    matrix.row(5, odd, some);
    const Rows rows = rows_of("S");
    std::vector<RandomMatrix::Entry> expected;
    for (const auto& [column, value] : rows[5])
        if (odd[column] != RandomMatrix::none) expected.push_back({odd[column], value});
    std::reverse(expected.begin(), expected.end());
    REQUIRE(some.size() == expected.size());
    for (std::size_t i = 0; i < some.size(); ++i) {
        CHECK(some[i].column == expected[i].column);
        CHECK(some[i].value == expected[i].value);
    }
}

TEST_CASE("Inverse iteration with NAS CG's matrix, in serial, finds the benchmark's zeta") {
    const Problem problem = find_problem("S");
    const Rows rows = rows_of("S");
    Vector x(problem.rows, 1.0);
    double zeta = 0;
    for (int iteration = 0; iteration < problem.iterations; ++iteration) {
        const Vector z = solved(rows, x);
        zeta = problem.shift + 1 / dot(x, z);
        const double norm = std::sqrt(dot(z, z));
        std::transform(z.begin(), z.end(), x.begin(), [=](double each) { return each / norm; });
    }
    CHECK(std::abs(zeta / problem.zeta - 1) < Problem::tolerance);
}

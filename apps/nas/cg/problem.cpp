#include "problem.hpp"

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

namespace lapwing::nas::cg {
namespace {

constexpr std::array<Problem, 7> problems{{
    {'S', 1'400, 7, 15, 10, 8.5971775078648},
    {'W', 7'000, 8, 15, 12, 10.362595087124},
    {'A', 14'000, 11, 15, 20, 17.130235054029},
    {'B', 75'000, 13, 75, 60, 22.712745482631},
    {'C', 150'000, 15, 75, 110, 28.973605592845},
    {'D', 1'500'000, 21, 100, 500, 52.514532105794},
    {'E', 9'000'000, 26, 100, 1500, 77.522164599383},
}};

}  // namespace

double Problem::operations() const {
    const auto n = static_cast<double>(rows);
    const auto product = static_cast<double>(nonzeros * (nonzeros + 1));
    return 2 * iterations * n * (3 + product + steps * (5 + product) + 3);
}

double Problem::expected_nonzeros(std::size_t part_rows, std::size_t part_columns) const {
    // Each of `rows` sparse vectors makes a nonzero of every pair of its nonzeros.
    const auto n = static_cast<double>(rows);
    const auto pairs = static_cast<double>(nonzeros * (nonzeros + 1));
    const double share = 1 / n - std::expm1(-pairs / n);
    return share * static_cast<double>(part_rows) * static_cast<double>(part_columns);
}

Problem find_problem(std::string_view name) {
    for (const Problem& problem : problems)
        if (name == std::string_view(&problem.name, 1)) return problem;
    throw std::invalid_argument("cg: no class \"" + std::string(name) +
                                "\"; there are S, W, A, B, C, D and E");
}

}  // namespace lapwing::nas::cg

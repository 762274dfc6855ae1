#include "problem.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

namespace lapwing::nas::mg {
namespace {

constexpr std::array<Problem, 7> problems{{
    {'S', 32, 4, 0.5307707005734e-04},
    {'W', 128, 4, 0.6467329375339e-05},
    {'A', 256, 4, 0.2433365309069e-05},
    {'B', 256, 20, 0.1800564401355e-05},
    {'C', 512, 20, 0.5706732285740e-06},
    {'D', 1024, 50, 0.1583275060440e-09},
    {'E', 2048, 50, 0.5630442584711e-10},
}};

}  // namespace

Stencil Problem::smoother() const {
    if (name == 'S' || name == 'W' || name == 'A') return {-3.0 / 8, 1.0 / 32, -1.0 / 64, 0};
    return {-3.0 / 17, 1.0 / 33, -1.0 / 61, 0};
}

Problem find_problem(std::string_view name) {
    for (const Problem& problem : problems)
        if (name == std::string_view(&problem.name, 1)) return problem;
    throw std::invalid_argument("NAS MG has no class \"" + std::string(name) + "\"");
}

bool verified(const Problem& problem, double norm) {
    constexpr double exact = 1e-8;
    return std::abs(norm - problem.expected) <= exact * problem.expected;
}

}  // namespace lapwing::nas::mg

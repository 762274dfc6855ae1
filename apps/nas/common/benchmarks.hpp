#pragma once

#include <array>
#include <span>

#include "../cg/settings.hpp"
#include "../is/settings.hpp"
#include "../mg/settings.hpp"
#include "options.hpp"

namespace lapwing::nas {

/// What a command line says of a benchmark. Needs no MPI.
struct BenchmarkOptions {
    const char* name;
    const char* meaning;
    std::span<const Setting> settings;
};

inline constexpr std::array<BenchmarkOptions, 3> benchmarks{{
    {"mg", "NAS MG: Poisson's equation, solved by V-cycles", mg::settings},
    {"cg", "NAS CG: the smallest eigenvalue of a sparse matrix, by conjugate gradients",
     cg::settings},
    {"is", "NAS IS: integer keys, ranked by bucket", is::settings},
}};

}  // namespace lapwing::nas

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lapwing/profile/fields.hpp"

namespace lapwing {

/// G(pattern, P, S): seconds per byte while P processes communicate at once (Iancu 2.1, figures 4
/// and 5). The paper's G^h is that of the fastest pair, G^l that of the slowest.
struct PatternCosts {
    std::string pattern;  ///< "nearest-neighbour", "cross-bisection", "bidirectional", "gather"
                          ///< (all others to one) or "alltoall"
    std::vector<int> processes;                ///< P, increasing
    std::vector<std::uint64_t> sizes;          ///< S, bytes, increasing
    std::vector<std::vector<double>> slowest;  ///< G of the slowest pair [P][size]
    std::vector<std::vector<double>> fastest;  ///< G of the fastest pair [P][size]
    /// Jain's fairness index of the pairs' bandwidths: 1 if all are the same, 1/n if one of n pairs
    /// has all of it.
    std::vector<std::vector<double>> fairness;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        const auto rows = self.processes.size();
        const auto columns = self.sizes.size();
        visit("pattern", self.pattern, fields::Free{});
        visit("processes", self.processes, fields::Axis{});
        visit("sizes", self.sizes, fields::Axis{});
        visit("slowest", self.slowest, fields::Grid{rows, columns});
        visit("fastest", self.fastest, fields::Grid{rows, columns});
        visit("fairness", self.fairness, fields::Grid{rows, columns});
    }
};

}  // namespace lapwing

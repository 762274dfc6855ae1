#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "lapwing/profile/fields.hpp"

namespace lapwing {

/// How many times as long as the model says an algorithm of the MPI library took, by size: what its
/// implementation does otherwise. Told by measured collectives.
struct AlgorithmFactors {
    std::string operation;
    std::string algorithm;
    std::vector<std::uint64_t> sizes;  ///< bytes, increasing, as `Operation::size`
    std::vector<double> factors;       ///< measured over predicted time [size]

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("operation", self.operation, fields::Free{});
        visit("algorithm", self.algorithm, fields::Free{});
        visit("sizes", self.sizes, fields::Axis{});
        visit("factors", self.factors, fields::Column{self.sizes.size()});
    }

    /// The factor at `size`: a straight line between the sizes if both axes are logarithmic,
    /// constant beyond them; 1 if there are no sizes.
    [[nodiscard]] double at(std::uint64_t size) const {
        if (sizes.empty()) return 1;
        const auto next = std::lower_bound(sizes.begin(), sizes.end(), size);
        if (next == sizes.begin()) return factors.front();
        if (next == sizes.end()) return factors.back();
        const auto i = static_cast<std::size_t>(next - sizes.begin());
        const auto log = [](std::uint64_t bytes) {
            return std::log2(static_cast<double>(std::max<std::uint64_t>(bytes, 1)));
        };
        const double from = log(sizes[i - 1]);
        const double to = log(sizes[i]);
        const double share = to > from ? (log(size) - from) / (to - from) : 1;
        return factors[i - 1] * std::pow(factors[i] / factors[i - 1], share);
    }
};

}  // namespace lapwing

#include "lapwing/simulate/collectives/unknown_name.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace lapwing::simulate {
namespace {

/// The edit distance of `a` and `b` (Levenshtein 1965).
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = std::exchange(row[j], std::min({changed, row[j] + 1, row[j - 1] + 1}));
        }
    }
    return row.back();
}

}  // namespace

void throw_unknown_name(const std::string& what, std::string_view name,
                        const std::vector<std::string>& known) {
    const auto nearest = std::min_element(
        known.begin(), known.end(),
        [&](const auto& a, const auto& b) { return distance(name, a) < distance(name, b); });
    std::string all;
    for (const auto& each : known) all += (all.empty() ? "" : ", ") + each;
    throw std::invalid_argument("unknown " + what + " '" + std::string(name) + "', did you mean '" +
                                *nearest + "'? There are " + all);
}

}  // namespace lapwing::simulate

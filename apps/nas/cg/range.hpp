#pragma once

#include <cstddef>

namespace lapwing::nas::cg {

/// Consecutive elements.
struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
    [[nodiscard]] std::size_t length() const { return end - begin; }
    /// The one of that index of `count` about equal parts.
    [[nodiscard]] Range part(std::size_t index, std::size_t count) const {
        return {begin + length() * index / count, begin + length() * (index + 1) / count};
    }
};

}  // namespace lapwing::nas::cg

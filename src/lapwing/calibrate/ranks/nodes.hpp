#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace lapwing {

/// Which ranks share a node, and which two ranks to measure.
class Nodes {
  public:
    /// `of_rank`: for each rank the number of its node.
    explicit Nodes(std::vector<int> of_rank) : of_rank_(std::move(of_rank)) {}

    /// Rank 0 and the first rank of another node; none if there is only one node.
    [[nodiscard]] std::optional<std::array<int, 2>> between() const { return first(0, false); }
    /// Two ranks of one node: rank 0 and another, unless rank 0 is alone on its node.
    [[nodiscard]] std::optional<std::array<int, 2>> within() const {
        for (std::size_t rank = 0; rank < of_rank_.size(); ++rank)
            if (const auto found = first(rank, true)) return found;
        return std::nullopt;
    }
    /// The two ranks that a machine is measured with: on different nodes if there are several.
    [[nodiscard]] std::array<int, 2> main_pair() const {
        return between().value_or(std::array{0, 1});
    }
    /// The number of a rank's node.
    [[nodiscard]] int of(int rank) const { return of_rank_[static_cast<std::size_t>(rank)]; }
    /// Whether a rank is the first of its node.
    [[nodiscard]] bool leads(int rank) const {
        const auto at = of_rank_.begin() + rank;
        return std::find(of_rank_.begin(), at, *at) == at;
    }
    /// How many nodes there are.
    [[nodiscard]] int count() const {
        int count = 0;
        for (std::size_t rank = 0; rank < of_rank_.size(); ++rank)
            count += leads(static_cast<int>(rank)) ? 1 : 0;
        return count;
    }
    /// Whether some pairs of ranks share a node and others do not.
    [[nodiscard]] bool two_kinds() const { return between() && within(); }

  private:
    [[nodiscard]] std::optional<std::array<int, 2>> first(std::size_t rank, bool together) const {
        for (std::size_t other = rank + 1; other < of_rank_.size(); ++other)
            if ((of_rank_[rank] == of_rank_[other]) == together)
                return std::array{static_cast<int>(rank), static_cast<int>(other)};
        return std::nullopt;
    }

    std::vector<int> of_rank_;
};

}  // namespace lapwing

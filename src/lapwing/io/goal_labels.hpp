#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace lapwing {

/// The labels of a rank's operations in a GOAL file. Those of the form l17 are found by their
/// number, without a hash.
class GoalLabels {
  public:
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    /// Forgets all labels.
    void clear() {
        ++rank_;
        others_.clear();
    }
    /// Gives a label to an operation. False if the label is in use. `label` refers to a text that
    /// outlives the rank.
    bool add(std::string_view label, std::uint32_t operation) {
        std::size_t number = 0;
        if (!numbered(label, number)) return others_.emplace(label, operation).second;
        if (number >= numbered_.size())
            numbered_.resize(std::max(number + 1, 2 * numbered_.size()));
        if (numbered_[number].rank == rank_) return false;
        numbered_[number] = {rank_, operation};
        return true;
    }
    /// The operation with this label, or `none`.
    [[nodiscard]] std::uint32_t find(std::string_view label) const {
        std::size_t number = 0;
        if (numbered(label, number))
            return number < numbered_.size() && numbered_[number].rank == rank_
                       ? numbered_[number].operation
                       : none;
        const auto found = others_.find(label);
        return found == others_.end() ? none : found->second;
    }

  private:
    /// Whether a label is one of l0 to l9999999, without leading zeros.
    static bool numbered(std::string_view label, std::size_t& number) {
        if (label.size() < 2 || label.size() > 8 || label[0] != 'l') return false;
        if (label[1] == '0' && label.size() > 2) return false;
        number = 0;
        for (const char c : label.substr(1)) {
            if (c < '0' || c > '9') return false;
            number = number * 10 + static_cast<std::size_t>(c - '0');
        }
        return true;
    }
    struct Numbered {
        std::uint32_t rank = 0;
        std::uint32_t operation = 0;
    };
    std::uint32_t rank_ = 0;
    std::vector<Numbered> numbered_;
    std::unordered_map<std::string_view, std::uint32_t> others_;
};

}  // namespace lapwing

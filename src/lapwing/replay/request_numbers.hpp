#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lapwing::replay {

/// The numbers of a rank's requests where exchanges are overlapped. If a message is cut, its
/// recorded request becomes several. Numbers are used again, the smallest first, so that they stay
/// small.
class RequestNumbers {
  public:
    /// What a recorded request became.
    struct Made {
        std::vector<std::uint64_t> numbers{};
        bool receives = false;
    };

    /// A number that is free.
    [[nodiscard]] std::uint64_t make() {
        if (free_.empty()) return next_++;
        std::pop_heap(free_.begin(), free_.end(), std::greater<>());
        const std::uint64_t number = free_.back();
        free_.pop_back();
        return number;
    }
    /// A number whose request is over is free again.
    void release(std::uint64_t number) {
        free_.push_back(number);
        std::push_heap(free_.begin(), free_.end(), std::greater<>());
    }

    /// What the recorded request `number` becomes, when it is made.
    void add(std::uint64_t number, Made made) { made_[number] = std::move(made); }
    /// What it became, when it is over: nothing if it was never made.
    [[nodiscard]] Made take(std::uint64_t number) {
        const auto found = made_.find(number);
        if (found == made_.end()) return {};
        Made made = std::move(found->second);
        made_.erase(found);
        return made;
    }

  private:
    std::uint64_t next_ = 0;
    std::vector<std::uint64_t> free_;  ///< a heap
    std::unordered_map<std::uint64_t, Made> made_;
};

}  // namespace lapwing::replay

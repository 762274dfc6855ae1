#pragma once

#include <cstddef>

namespace lapwing::fft {

/// A block distribution of an axis over ranks: rank r has `count(r)` consecutive indices from
/// `first(r)` on. Counts differ by at most one. With more ranks than indices, some ranks have none.
class BlockDistribution {
  public:
    /// `length`: indices of the axis. `ranks`: at least 1.
    BlockDistribution(std::size_t length, int ranks)
        : length_(length), ranks_(static_cast<std::size_t>(ranks)) {}

    [[nodiscard]] std::size_t length() const { return length_; }
    [[nodiscard]] int ranks() const { return static_cast<int>(ranks_); }
    [[nodiscard]] std::size_t first(int rank) const {
        return length_ * static_cast<std::size_t>(rank) / ranks_;
    }
    [[nodiscard]] std::size_t count(int rank) const { return first(rank + 1) - first(rank); }
    /// The largest `count` of any rank.
    [[nodiscard]] std::size_t most() const { return (length_ + ranks_ - 1) / ranks_; }

  private:
    std::size_t length_;
    std::size_t ranks_;
};

}  // namespace lapwing::fft

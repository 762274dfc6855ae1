#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace lapwing::simulate {

/// The blocks that a collective moves, and their sizes.
class Parts {
  public:
    /// `total` bytes in `count` blocks, whose sizes differ by one byte at most.
    static Parts split(std::uint64_t total, std::uint64_t count) {
        return {count, total / count, total % count};
    }
    /// `count` blocks of `bytes` each.
    static Parts equal(std::uint64_t bytes, std::uint64_t count) { return {count, bytes, 0}; }
    /// Blocks of these sizes, bytes.
    static Parts sized(const std::vector<std::uint64_t>& sizes) {
        Parts parts(sizes.size(), 0, 0);
        std::vector<std::uint64_t> begins(sizes.size() + 1);
        for (std::size_t i = 0; i < sizes.size(); ++i) begins[i + 1] = begins[i] + sizes[i];
        parts.begins_ = std::make_shared<const std::vector<std::uint64_t>>(std::move(begins));
        return parts;
    }

    [[nodiscard]] std::uint64_t count() const { return count_; }

    /// Bytes of `count` blocks from `first` on, cyclically.
    [[nodiscard]] std::uint64_t bytes(std::uint64_t first, std::uint64_t count) const {
        if (first + count <= count_) return begin(first + count) - begin(first);
        return begin(count_) - begin(first) + begin(first + count - count_);
    }

  private:
    Parts(std::uint64_t count, std::uint64_t each, std::uint64_t longer)
        : count_(count), each_(each), longer_(longer) {}

    [[nodiscard]] std::uint64_t begin(std::uint64_t block) const {
        if (begins_) return (*begins_)[block];
        return block * each_ + std::min(block, longer_);
    }

    std::uint64_t count_;
    std::uint64_t each_;
    std::uint64_t longer_;  ///< number of blocks that have a byte more
    std::shared_ptr<const std::vector<std::uint64_t>> begins_;
};

}  // namespace lapwing::simulate

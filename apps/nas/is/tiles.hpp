#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "drawn_keys.hpp"
#include "loops.hpp"
#include "problem.hpp"

namespace lapwing::nas::is {

/// Where each of a rank's tiles of keys begins. The first tile and the last one are half as large
/// as the others: nothing travels before the one is sorted, and little hides the other.
class TileBounds {
  public:
    /// `keys`: of the rank; `count`: of tiles.
    TileBounds(std::size_t keys, std::size_t count) : keys_(keys), count_(count) {}

    [[nodiscard]] std::size_t count() const { return count_; }
    /// The first key of a tile; of tile number `count()`, the number of all keys.
    [[nodiscard]] std::size_t first(std::size_t tile) const {
        if (tile == 0) return 0;
        return tile == count_ ? keys_ : keys_ * (2 * tile - 1) / (2 * (count_ - 1));
    }
    [[nodiscard]] std::size_t size(std::size_t tile) const { return first(tile + 1) - first(tile); }

  private:
    std::size_t keys_;
    std::size_t count_;
};

/// A rank's keys in tiles, and where in a tile's sorted keys each bucket begins.
class Tiles : public TileBounds {
  public:
    /// `keys`: of the rank; `count`: of tiles.
    Tiles(const Problem& problem, std::size_t keys, std::size_t count)
        : TileBounds(keys, count), problem_(problem), begins_((problem.buckets() + 1) * count) {}

    /// Of each bucket, and of the one that would come next: where it begins, from the tile on.
    [[nodiscard]] std::span<const std::uint32_t> begins(std::size_t tile) const {
        return std::span(begins_).subspan(tile * (problem_.buckets() + 1), problem_.buckets() + 1);
    }
    /// Takes in the keys of a tile.
    void count_keys(std::size_t tile, std::span<const Key> keys) {
        std::uint32_t* const counts = begins_of(tile);
        std::fill_n(counts, problem_.buckets() + 1, 0);
        // One place further on, so that the sums are those before each bucket.
        count_buckets(keys, problem_.shift(), counts + 1);
        sum_up({counts, problem_.buckets() + 1});
    }
    /// Takes in the keys that a draw brings to a tile.
    void draw_keys(std::size_t tile, const DrawnKeys& drawn) {
        drawn.write({begins_of(tile), problem_.buckets() + 1});
    }

  private:
    [[nodiscard]] std::uint32_t* begins_of(std::size_t tile) {
        return begins_.data() + tile * (problem_.buckets() + 1);
    }

    const Problem& problem_;
    std::vector<std::uint32_t> begins_;
};

}  // namespace lapwing::nas::is

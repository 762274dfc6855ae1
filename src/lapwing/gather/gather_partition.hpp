#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace lapwing {

/// Pieces of work in a row.
struct IndexRange {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    friend bool operator==(const IndexRange&, const IndexRange&) = default;
};

/// Distributes pieces of work, whose results are gathered at rank 0, over ranks in rounds. In a
/// round each rank takes a block of `tile` pieces, in the order of ranks, so that a gather brings
/// results together in the order of pieces. Rank 0, which serves all arrivals, may have a smaller
/// share. What is left for the last round is spread over all ranks.
class GatherPartition {
  public:
    /// `root_share`: pieces of rank 0, relative to any other's, from 0 to 1.
    explicit GatherPartition(int ranks, double root_share = 1)
        : ranks_(static_cast<std::uint64_t>(ranks)), root_share_(ranks == 1 ? 1 : root_share) {}

    /// Pieces of the next round, all ranks together, if there are enough.
    [[nodiscard]] std::uint64_t round_size(std::uint64_t tile) const {
        return root_tile(tile) + (ranks_ - 1) * tile;
    }
    /// The same, of `pieces` in all.
    [[nodiscard]] std::uint64_t available(std::uint64_t tile, std::uint64_t pieces) const {
        return std::min(pieces - assigned_, round_size(tile));
    }
    /// The block of `rank` in the next round of `available` pieces, at most `round_size(tile)`.
    [[nodiscard]] IndexRange block_of(std::uint64_t tile, std::uint64_t available, int rank) const {
        const auto place = static_cast<std::uint64_t>(rank);
        if (available < round_size(tile)) {
            const std::uint64_t first = available * place / ranks_;
            return {assigned_ + first, available * (place + 1) / ranks_ - first};
        }
        if (rank == 0) return {assigned_, root_tile(tile)};
        return {assigned_ + root_tile(tile) + (place - 1) * tile, tile};
    }
    /// Goes on to the round behind it.
    void advance(std::uint64_t tile, std::uint64_t available) {
        assigned_ += available;
        rounds_ += tile;
    }
    /// The block of `rank` in the next round, of `pieces` in all; goes on to the round behind it.
    IndexRange next_block(std::uint64_t tile, std::uint64_t pieces, int rank) {
        const std::uint64_t count = available(tile, pieces);
        const IndexRange block = block_of(tile, count, rank);
        advance(tile, count);
        return block;
    }
    /// Pieces assigned so far.
    [[nodiscard]] std::uint64_t assigned() const { return assigned_; }

  private:
    [[nodiscard]] std::uint64_t root_tile(std::uint64_t tile) const {
        const auto pieces = [&](std::uint64_t rounds) {
            return static_cast<std::uint64_t>(
                std::floor(root_share_ * static_cast<double>(rounds)));
        };
        return pieces(rounds_ + tile) - pieces(rounds_);
    }

    std::uint64_t ranks_;
    double root_share_;
    std::uint64_t assigned_ = 0;
    std::uint64_t rounds_ = 0;
};

}  // namespace lapwing

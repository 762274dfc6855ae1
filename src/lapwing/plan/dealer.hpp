#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace lapwing {

/// Pieces of work that follow each other.
struct Part {
    std::uint64_t first = 0;
    std::uint64_t count = 0;
    friend bool operator==(const Part&, const Part&) = default;
};

/// Deals pieces of work whose results are gathered at rank 0, message by message: each rank takes
/// `tile` pieces that follow each other, the ranks in their order, so that what a gather brings
/// together is in the order of the pieces. Rank 0, which has to look after all that arrives, may
/// have a smaller share. What is left for the last message is spread over all.
class Dealer {
  public:
    /// `root_share`: of rank 0, compared with any other's, from 0 to 1.
    explicit Dealer(int ranks, double root_share = 1)
        : ranks_(static_cast<std::uint64_t>(ranks)), root_share_(ranks == 1 ? 1 : root_share) {}

    /// Pieces of the next message, all ranks together, if there are enough.
    [[nodiscard]] std::uint64_t most(std::uint64_t tile) const {
        return root_tile(tile) + (ranks_ - 1) * tile;
    }
    /// The same, of `pieces` in all.
    [[nodiscard]] std::uint64_t available(std::uint64_t tile, std::uint64_t pieces) const {
        return std::min(pieces - dealt_, most(tile));
    }
    /// The part of `rank` in the next message, of which there are `available` pieces, at most
    /// `most(tile)`.
    [[nodiscard]] Part part(std::uint64_t tile, std::uint64_t available, int rank) const {
        const auto place = static_cast<std::uint64_t>(rank);
        if (available < most(tile)) {
            const std::uint64_t first = available * place / ranks_;
            return {dealt_ + first, available * (place + 1) / ranks_ - first};
        }
        if (rank == 0) return {dealt_, root_tile(tile)};
        return {dealt_ + root_tile(tile) + (place - 1) * tile, tile};
    }
    /// Goes on to the message behind it.
    void next(std::uint64_t tile, std::uint64_t available) {
        dealt_ += available;
        rounds_ += tile;
    }
    /// The part of `rank` in the next message, of `pieces` in all; goes on behind it.
    Part take(std::uint64_t tile, std::uint64_t pieces, int rank) {
        const std::uint64_t count = available(tile, pieces);
        const Part taken = part(tile, count, rank);
        next(tile, count);
        return taken;
    }
    /// Pieces dealt so far.
    [[nodiscard]] std::uint64_t dealt() const { return dealt_; }

  private:
    [[nodiscard]] std::uint64_t root_tile(std::uint64_t tile) const {
        return root_pieces(rounds_ + tile) - root_pieces(rounds_);
    }
    [[nodiscard]] std::uint64_t root_pieces(std::uint64_t rounds) const {
        return static_cast<std::uint64_t>(std::floor(root_share_ * static_cast<double>(rounds)));
    }

    std::uint64_t ranks_;
    double root_share_;
    std::uint64_t dealt_ = 0;
    std::uint64_t rounds_ = 0;
};

}  // namespace lapwing

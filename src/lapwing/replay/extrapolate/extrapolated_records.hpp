#pragma once

#include <cstdint>
#include <vector>

#include "lapwing/record/decoder.hpp"
#include "lapwing/replay/extrapolate/grown_grid.hpp"

namespace lapwing::replay {

/// The records that a rank of a larger grid would have. Each rank has the work of a recorded one,
/// its model. Its partners are at the same distances, and its communicators grow with the grid.
///
/// Each rank contributes the same to a collective. An all-to-all is cut into smaller blocks, so
/// that a rank sends the same in all; a block does not become smaller than one number.
class ExtrapolatedRecords {
  public:
    /// `records`: those of `grid.model(rank)`. `grid`: outlives it.
    ExtrapolatedRecords(record::Decoder records, std::uint64_t rank, const GrownGrid& grid);

    /// Reads the next record. Returns false at the end. Lists are there until the next call.
    bool next(record::Record& record);

    /// How many have been read.
    [[nodiscard]] std::uint64_t records() const { return records_.records(); }

  private:
    void map(record::Message& message) const;
    void map_communicator(record::Record& record);
    void map_collective(record::Record& record);
    [[nodiscard]] std::vector<std::uint64_t> grown_blocks(const record::Record& record) const;

    record::Decoder records_;
    std::uint64_t rank_;
    const GrownGrid& grid_;
    std::vector<Dimensions> extents_;  ///< of communicators, by their numbers
    std::vector<record::Run> members_{};
    std::vector<std::uint64_t> blocks_{};
};

}  // namespace lapwing::replay

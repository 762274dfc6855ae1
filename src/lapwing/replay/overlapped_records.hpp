#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "lapwing/record/decoder.hpp"
#include "lapwing/replay/exchange_reader.hpp"
#include "lapwing/replay/options.hpp"
#include "lapwing/replay/overlap.hpp"

namespace lapwing::replay {

/// The records of a rank, as they would be if some of its exchanges were overlapped. What computes
/// between two of them hides half of each, if both want it.
class OverlappedRecords {
  public:
    /// `options`: they outlive it.
    OverlappedRecords(record::Decoder records, std::size_t rank, const Options& options)
        : reader_(std::move(records)), rank_(rank), options_(options) {}

    /// Reads the next record. Returns false at the end. Lists are there until the next call.
    bool next(record::Record& record);

    /// How many recorded ones have been read.
    [[nodiscard]] std::uint64_t records() const { return reader_.records(); }

  private:
    /// How the exchanges of a site are overlapped, as the rank numbers it; null: as they are.
    [[nodiscard]] const Overlap* overlap_of(std::uint64_t site) const;
    void refill();
    void keep_as_it_is();

    ExchangeReader reader_;
    std::size_t rank_;
    const Options& options_;
    Exchange exchange_{};
    std::deque<KeptRecord> made_{};
    std::optional<KeptRecord> present_{};
};

}  // namespace lapwing::replay

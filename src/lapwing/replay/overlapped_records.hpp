#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "lapwing/replay/kept_record.hpp"
#include "lapwing/replay/matched_exchanges.hpp"
#include "lapwing/replay/overlap.hpp"
#include "lapwing/replay/request_numbers.hpp"

namespace lapwing::replay {

/// The records of a rank, as they would be if some of its exchanges were overlapped. What computes
/// between two of them hides half of each, if both want it.
class OverlappedRecords {
  public:
    /// `exchanges`: of all ranks; they outlive it.
    OverlappedRecords(MatchedExchanges& exchanges, std::size_t rank)
        : exchanges_(exchanges), rank_(rank) {}

    /// Reads the next record. Returns false at the end. Lists are there until the next call.
    bool next(record::Record& record);

    /// How many recorded ones have been read.
    [[nodiscard]] std::uint64_t records() const { return exchanges_.records(rank_); }

  private:
    void overlap_exchange(const Overlap& how);

    MatchedExchanges& exchanges_;
    std::size_t rank_;
    Exchange exchange_{};
    RequestNumbers numbers_{};
    std::deque<KeptRecord> made_{};
    std::optional<KeptRecord> present_{};
};

}  // namespace lapwing::replay

#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <variant>

#include "lapwing/record/recording.hpp"
#include "lapwing/replay/extrapolate/extrapolated_records.hpp"
#include "lapwing/replay/matched_exchanges.hpp"
#include "lapwing/replay/overlapped_records.hpp"

namespace lapwing::replay {

/// The records that a rank plays: as they were recorded, with exchanges overlapped, or as a rank of
/// a larger grid would have them.
class RankRecords {
  public:
    /// `grid`, `overlapped`: of all ranks, if they are not as they were recorded; they outlive it.
    RankRecords(const record::Recording& recording, std::uint64_t rank, const GrownGrid* grid,
                MatchedExchanges* overlapped)
        : recorded_rank_(grid ? grid->model(rank) : rank),
          records_(recording.rank(recorded_rank_)) {
        auto& whole = std::get<record::Decoder>(records_);
        if (grid) {
            records_ = std::make_unique<ExtrapolatedRecords>(std::move(whole), rank, *grid);
        } else if (overlapped) {
            records_ = std::make_unique<OverlappedRecords>(*overlapped, recorded_rank_);
        }
    }

    /// Reads the next record. Returns false at the end. Lists are there until the next call.
    bool next(record::Record& record) {
        return std::visit([&](auto& each) { return of(each).next(record); }, records_);
    }
    /// How many recorded ones have been read.
    [[nodiscard]] std::uint64_t read_so_far() const {
        return std::visit([](const auto& each) { return of(each).records(); }, records_);
    }
    /// The rank whose records they were.
    [[nodiscard]] std::uint64_t recorded_rank() const { return recorded_rank_; }

  private:
    static record::Decoder& of(record::Decoder& records) { return records; }
    static const record::Decoder& of(const record::Decoder& records) { return records; }
    template <class Records>
    static Records& of(const std::unique_ptr<Records>& records) {
        return *records;
    }

    std::uint64_t recorded_rank_;
    std::variant<record::Decoder, std::unique_ptr<OverlappedRecords>,
                 std::unique_ptr<ExtrapolatedRecords>>
        records_;
};

}  // namespace lapwing::replay

#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "lapwing/replay/exchange_reader.hpp"
#include "lapwing/replay/kept_record.hpp"
#include "lapwing/replay/request_numbers.hpp"

namespace lapwing::replay {

/// Part `part` of `parts` parts that are equal, up to one, and add up to `whole`.
[[nodiscard]] std::uint64_t part_of(std::uint64_t whole, std::uint64_t part, std::uint64_t parts);

/// Appends records to those of a rank, in which messages are cut.
class CutMessages {
  public:
    CutMessages(RequestNumbers& numbers, std::deque<KeptRecord>& made)
        : numbers_(numbers), made_(made) {}

    /// Computation before the next record to be added, besides that of the record itself.
    void compute(std::uint64_t nanoseconds) { computed_ += nanoseconds; }
    /// What was computed since the last record.
    [[nodiscard]] std::uint64_t take_computed() { return std::exchange(computed_, 0); }

    /// Starts the receives of a message that comes in `pieces`. Returns their requests.
    RequestNumbers::Made start_receive(record::Record message, std::uint32_t pieces);
    /// Starts the send of piece `piece` of `pieces`. Returns its request.
    std::uint64_t start_send(record::Record message, std::uint32_t piece, std::uint32_t pieces);
    /// Waits for requests, whose numbers are free then. `as`: at the site of this record.
    void wait(std::vector<std::uint64_t> requests, const record::Record& as,
              std::uint64_t duration = 0);
    /// Adds a record, computation and all.
    void add(KeptRecord record);

  private:
    RequestNumbers& numbers_;
    std::deque<KeptRecord>& made_;
    std::uint64_t computed_ = 0;
};

}  // namespace lapwing::replay

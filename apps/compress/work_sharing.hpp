#pragma once

#include <cstdint>
#include <optional>

#include "lapwing/gather/gather_partition.hpp"
#include "lapwing/plan/messages.hpp"
#include "lapwing/transport/mpi/node_counter.hpp"

namespace lapwing::compress {

/// Pieces of work for one rank, and the number of their place in a message.
struct Place {
    std::uint64_t number = 0;
    IndexRange part;
};

/// Says which pieces of work this rank does, message by message. A message, which one gather
/// collects, has a place for each rank, in the order of the pieces. The ranks of a node share their
/// places: whoever is free takes the next one, as pieces take different times, and processors have
/// other things to do. So a rank may fill several places of a message, or none.
class WorkSharing {
  public:
    /// Collective. `rounds`: the messages' tiles. `pieces`: their number, of all ranks together.
    WorkSharing(const Communicator& ranks, GatherPartition partition, const Messages& rounds,
                std::uint64_t pieces)
        : counter_(ranks),
          partition_(partition),
          rounds_(rounds),
          next_(rounds_.begin()),
          all_(pieces) {}

    /// Goes on to the next message. Returns whether there is work in it for any rank. All ranks
    /// call it.
    bool next() {
        if (begun_) {
            partition_.advance(tile_, available_);
            ++message_;
        }
        begun_ = true;
        available_ = 0;
        if (partition_.assigned() == all_) return false;
        tile_ = *next_;
        ++next_;
        available_ = partition_.available(tile_, all_);
        return true;
    }
    /// The next place of this message that this rank is to fill; none where others fill the rest.
    [[nodiscard]] std::optional<Place> take() {
        const std::uint64_t sharing = counter_.ranks().size();
        if (!taken_) taken_ = counter_.next();
        if (*taken_ / sharing != message_) return std::nullopt;  // belongs to a later message
        const int place = counter_.ranks()[*taken_ % sharing];
        taken_.reset();
        return Place{static_cast<std::uint64_t>(place),
                     partition_.block_of(tile_, available_, place)};
    }
    /// Pieces before this message.
    [[nodiscard]] std::uint64_t dealt() const { return partition_.assigned(); }
    /// Pieces in this message, of all ranks together.
    [[nodiscard]] std::uint64_t available() const { return available_; }

  private:
    NodeCounter counter_;
    GatherPartition partition_;
    Messages rounds_;
    Messages::Iterator next_;
    std::uint64_t all_;
    std::uint64_t tile_ = 0;
    std::uint64_t available_ = 0;
    std::uint64_t message_ = 0;
    bool begun_ = false;
    std::optional<std::uint64_t> taken_;  ///< value of the counter whose place is not filled yet
};

}  // namespace lapwing::compress

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lapwing/record/record.hpp"
#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::replay {

using simulate::Rank;

/// A communicator as one of its ranks knows it. Members are kept as runs: the one with all ranks
/// takes no more memory than a small one.
class Communicator {
  public:
    Communicator() = default;
    /// `self`: the rank in MPI_COMM_WORLD of the one that knows it.
    Communicator(std::uint64_t context, std::span<const record::Run> members, Rank self);

    /// What tells it from other communicators, on all its ranks.
    [[nodiscard]] std::uint64_t context() const { return context_; }
    [[nodiscard]] Rank size() const { return size_; }
    /// The rank in it of the one that knows it.
    [[nodiscard]] Rank rank() const { return rank_; }
    /// The rank in MPI_COMM_WORLD of a member.
    [[nodiscard]] Rank world(Rank member) const;
    /// Begins a collective on it. Returns what tells its messages from all others.
    std::uint64_t begin_collective();

  private:
    std::uint64_t context_ = 0;
    std::vector<record::Run> members_;
    Rank size_ = 0;
    Rank rank_ = 0;
    std::uint64_t collectives_ = 0;
};

}  // namespace lapwing::replay

#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "lapwing/record/record.hpp"
#include "mpi_weak.hpp"

namespace lapwing::observe {

/// A communicator as the records of a rank name it.
struct NumberedCommunicator {
    std::uint64_t number = 0;
    bool between = false;        ///< of two groups
    bool known = true;           ///< all its ranks are in MPI_COMM_WORLD
    std::vector<int> peers{};    ///< their ranks there; of two groups, of the other one
    std::vector<int> members{};  ///< of two groups, those of both
    std::uint64_t context = 0;   ///< the same on all its ranks, and no other's
};

/// The communicators that a rank has seen. Allocates where one is new.
class Communicators {
  public:
    Communicators();

    /// The communicator of this handle; null if it has not been seen.
    [[nodiscard]] const NumberedCommunicator* find(MPI_Comm comm);
    /// Sees a communicator that is new. `created`: by a call that all its ranks make, and see.
    const NumberedCommunicator& enter(MPI_Comm comm, bool created);
    /// The same of a copy of `original`, which does not exist yet.
    const NumberedCommunicator& enter_copy(MPI_Comm copy, MPI_Comm original);
    /// A communicator will be freed: its handle and its number may come again.
    void erase(MPI_Comm comm);

  private:
    const NumberedCommunicator& number(MPI_Comm comm, NumberedCommunicator made, bool created);

    std::unordered_map<std::uint64_t, NumberedCommunicator> known_;
    std::unordered_map<std::uint64_t, std::uint64_t> seen_;  // of each group, how many
    std::vector<bool> numbers_{true};                        // whether they are in use
    // The one that was looked for last.
    std::uint64_t last_handle_ = 0;
    const NumberedCommunicator* last_ = nullptr;
};

/// Appends ranks to `runs`, as few as possible one after the other.
void append_runs(std::span<const int> ranks, std::vector<record::Run>& runs);

}  // namespace lapwing::observe

#pragma once

#include <mpi.h>
#include <simgrid/s4u/ConditionVariable.hpp>
#include <simgrid/s4u/Host.hpp>
#include <simgrid/s4u/Mutex.hpp>

#include <cstddef>
#include <memory>
#include <vector>

#include "notices.hpp"

namespace lapwing::interfaces {

/// A rank's part of a window: memory that the other ranks access.
struct Part {
    std::byte* base = nullptr;
    std::size_t bytes = 0;
    int unit = 1;  ///< bytes of a displacement
    simgrid::s4u::Host* host = nullptr;
    std::shared_ptr<Notices> notices;
};

/// The parts of all ranks of a communicator.
using Parts = std::vector<Part>;

/// A window as one rank has it, with the operations that the rank has initiated.
class Window {
  public:
    /// Rank `rank` of `ranks` enters its part, as the others do theirs: of all windows over the
    /// same ranks in the order in which these make them.
    Window(MPI_Comm ranks, Part part);
    /// That of a handle; null for windows that SMPI made without us.
    static Window* of(MPI_Win handle);
    static void insert(MPI_Win handle, std::unique_ptr<Window> window);
    static void erase(MPI_Win handle);

    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int size() const { return static_cast<int>(parts_->size()); }
    [[nodiscard]] const Part& part(int rank) const {
        return (*parts_)[static_cast<std::size_t>(rank)];
    }

    void begin(int target) { ++pending_[static_cast<std::size_t>(target)]; }
    void end(int target);
    /// Returns when all operations to `target` are complete.
    void flush(int target);
    void flush_all();

  private:
    int rank_ = 0;
    std::shared_ptr<Parts> parts_;
    std::vector<std::size_t> pending_;  ///< operations initiated and not complete, by target
    simgrid::s4u::MutexPtr mutex_ = simgrid::s4u::Mutex::create();
    simgrid::s4u::ConditionVariablePtr ended_ = simgrid::s4u::ConditionVariable::create();
};

}  // namespace lapwing::interfaces

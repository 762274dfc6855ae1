#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <vector>

#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing {

/// A counter that the ranks of a node share, in shared memory: each value is given to one of them,
/// without a message. Where the MPI shares no memory, every rank counts as if it were alone on its
/// node. So it is with Open MPI if its windows are made of messages.
class NodeCounter {
  public:
    /// Collective over `original`. Counts from 0.
    explicit NodeCounter(const Communicator& original)
        : node_(Communicator::of_node(original.get())),
          ranks_(static_cast<std::size_t>(node_.size())) {
        const int mine = original.rank();
        check_mpi(MPI_Allgather(&mine, 1, MPI_INT, ranks_.data(), 1, MPI_INT, node_.get()),
                  "MPI_Allgather");
        if (ranks_.size() == 1) return;
        const bool first = node_.rank() == 0;
        void* begin = nullptr;
        int failed =
            MPI_Win_allocate_shared(first ? sizeof alone_ : 0, 1, MPI_INFO_NULL, node_.get(),
                                    static_cast<void*>(&begin), &window_) != MPI_SUCCESS;
        check_mpi(MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, node_.get()),
                  "MPI_Allreduce");
        if (failed != 0) {
            window_ = MPI_WIN_NULL;
            ranks_ = {mine};
            return;
        }
        MPI_Aint bytes = 0;
        int unit = 0;
        check_mpi(MPI_Win_shared_query(window_, 0, &bytes, &unit, static_cast<void*>(&begin)),
                  "MPI_Win_shared_query");
        value_ = static_cast<std::uint64_t*>(begin);
        if (first) std::atomic_ref(*value_).store(0);
        check_mpi(MPI_Barrier(node_.get()), "MPI_Barrier");
    }
    NodeCounter(const NodeCounter&) = delete;
    NodeCounter& operator=(const NodeCounter&) = delete;
    /// Waits for the other ranks of the node, except while an exception ends its scope: they may
    /// never come.
    ~NodeCounter() {
        int finalized = 0;
        MPI_Finalized(&finalized);
        if (finalized != 0 || std::uncaught_exceptions() > exceptions_) return;
        if (window_ != MPI_WIN_NULL) MPI_Win_free(&window_);
    }

    /// The next value, from 0 on.
    [[nodiscard]] std::uint64_t next() { return std::atomic_ref(*value_).fetch_add(1); }
    /// The ranks of `original` on this node, in their order.
    [[nodiscard]] const std::vector<int>& ranks() const { return ranks_; }

  private:
    Communicator node_;
    MPI_Win window_ = MPI_WIN_NULL;
    std::vector<int> ranks_;
    std::uint64_t alone_ = 0;         ///< the counter of a rank that shares it with nobody
    std::uint64_t* value_ = &alone_;  ///< the counter
    int exceptions_ = std::uncaught_exceptions();
};

}  // namespace lapwing

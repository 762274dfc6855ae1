#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "lapwing/calibrate/benchmarks/call_memory.hpp"
#include "lapwing/compute/memory_copy.hpp"
#include "lapwing/compute/page_vector.hpp"
#include "lapwing/transport/mpi/strided_type.hpp"

namespace lapwing {

/// Which operation to call, as MPI offers it, whatever its algorithm.
struct CallChoice {
    std::string operation;  ///< "send", or as `simulate::collective_operations` names it
    /// Bytes: of a send, a bcast, a reduce or an allreduce the whole message; of an alltoall from
    /// each rank to each; of the others the block of one rank; of a barrier nothing.
    std::uint64_t size = 0;
    /// Bytes from one double to the next, of a send or a bcast; none: side by side.
    std::optional<std::uint64_t> stride{};
    /// Whether ranks pack and unpack strided data by hand, or tell MPI the type.
    bool packed = false;
};

/// One operation as a program calls it, with memory of its own. The root is rank 0, and a send goes
/// between the ranks 0 and 1. Reductions are of bytes, by bitwise or, which takes next to no time.
class CollectiveCall {
  public:
    /// Throws `std::invalid_argument` with one line if there is no such operation, if it cannot be
    /// strided, or if the stride is not of whole doubles.
    CollectiveCall(const CallChoice& choice, MPI_Comm communicator);

    /// Calls the operation once; a send goes there and back again. All ranks call it.
    void operator()() { (this->*operation_.run)(); }

    /// How many times as long a call takes as the operation: twice of a send.
    [[nodiscard]] double trips() const { return operation_.run == &CollectiveCall::send ? 2 : 1; }

    /// What this rank sends, and where it receives. The message of a bcast is in the second. A
    /// strided send returns from the second of rank 1 to the first of rank 0.
    [[nodiscard]] CallMemory& out() { return out_; }
    [[nodiscard]] CallMemory& in() { return in_; }

  private:
    /// How much memory a rank needs: for its own block or for those of all, everywhere or at the
    /// root only.
    enum class Room { none, block, blocks, block_at_root, blocks_at_root };
    struct Operation {
        const char* name;
        Room sends;
        Room receives;
        void (CollectiveCall::*run)();
    };
    struct Message {
        void* data;
        int count;
        MPI_Datatype type;
    };

    static const Operation& find(const std::string& name);
    [[nodiscard]] std::size_t room(Room room, const CallChoice& choice) const;
    Message message(CallMemory& memory);
    void pack(CallMemory& memory);
    void unpack(CallMemory& memory);

    void send();
    void send_one_way(CallMemory& from);
    void receive_one_way(CallMemory& to);
    void barrier();
    void bcast();
    void alltoall();
    void allgather();
    void allreduce();
    void reduce();
    void reduce_scatter();
    void gather();
    void scatter();

    const Operation& operation_;
    MPI_Comm communicator_;
    int rank_;
    int count_;
    std::size_t step_;           ///< doubles from one to the next
    PageVector<double> packed_;  ///< empty if nothing is packed
    std::optional<StridedType> type_;
    std::optional<MemoryCopy> copy_;
    CallMemory out_;
    CallMemory in_;
};

}  // namespace lapwing

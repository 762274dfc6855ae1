#pragma once

#include <mpi.h>

#include <array>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "lapwing/calibrate/benchmarks/call_memory.hpp"
#include "lapwing/compute/memory_copy.hpp"
#include "lapwing/compute/page_vector.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"
#include "lapwing/transport/mpi/strided_type.hpp"

namespace lapwing {

/// What to communicate: an operation as MPI has it, whatever its algorithm.
struct CallChoice {
    std::string operation;  ///< "send", or as `simulate::collective_operations` names it
    /// Bytes: of a send, a bcast, a reduce or an allreduce the whole message; of an alltoall from
    /// each rank to each; of the others the block of one rank; of a barrier nothing.
    std::uint64_t size = 0;
    /// Bytes from one double to the next, of a send or a bcast; none: side by side.
    std::optional<std::uint64_t> stride{};
    /// Strided data is packed and unpacked by hand; else MPI is told the type.
    bool packed = false;
};

/// One operation as a program calls it, with memory of its own. The root is rank 0, and a send goes
/// between the ranks 0 and 1. What is reduced are bytes, by bitwise or: that takes next to no time.
class CollectiveCall {
  public:
    /// Throws `std::invalid_argument` with one line if there is no such operation, if it is never
    /// strided, or if its doubles cannot lie like that.
    CollectiveCall(const CallChoice& choice, MPI_Comm communicator)
        : operation_(find(choice.operation)),
          communicator_(communicator),
          rank_(rank_in(communicator)),
          count_(count(choice)),
          step_(step(choice)),
          packed_(choice.packed && choice.stride ? choice.size / sizeof(double) : 0),
          out_(room(operation_.sends, choice)),
          in_(room(operation_.receives, choice)) {
        if (!packed_.empty()) copy_.emplace();
        if (choice.stride && !choice.packed)
            type_.emplace(count_ / static_cast<int>(sizeof(double)), static_cast<int>(step_));
    }

    /// The operation once; a send there and back again. All ranks call it.
    void operator()() { (this->*operation_.run)(); }

    /// How many times as long a call takes as what is asked for: twice of a send.
    [[nodiscard]] double trips() const { return operation_.run == &CollectiveCall::send ? 2 : 1; }

    /// What this rank sends, and where it receives; the message of a bcast is in the second. A
    /// strided one that is sent returns from the second of rank 1 to the first of rank 0.
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

    static const Operation& find(const std::string& name) {
        using C = CollectiveCall;
        static constexpr std::array operations{
            Operation{"send", Room::block, Room::block, &C::send},
            Operation{"barrier", Room::none, Room::none, &C::barrier},
            Operation{"bcast", Room::none, Room::block, &C::bcast},
            Operation{"alltoall", Room::blocks, Room::blocks, &C::alltoall},
            Operation{"allgather", Room::block, Room::blocks, &C::allgather},
            Operation{"allreduce", Room::block, Room::block, &C::allreduce},
            Operation{"reduce", Room::block, Room::block_at_root, &C::reduce},
            Operation{"reduce_scatter", Room::blocks, Room::block, &C::reduce_scatter},
            Operation{"gather", Room::block, Room::blocks_at_root, &C::gather},
            Operation{"scatter", Room::blocks_at_root, Room::block, &C::scatter}};
        for (const Operation& operation : operations)
            if (name == operation.name) return operation;
        throw std::invalid_argument("there is no operation '" + name + "'");
    }
    static int rank_in(MPI_Comm communicator) {
        int rank = 0;
        MPI_Comm_rank(communicator, &rank);
        return rank;
    }
    static int count(const CallChoice& choice) {
        if (choice.size > INT_MAX) throw std::invalid_argument("a message of 2 GB or more");
        return static_cast<int>(choice.size);
    }
    /// Doubles from one to the next.
    static std::size_t step(const CallChoice& choice) {
        const std::uint64_t stride = choice.stride.value_or(sizeof(double));
        if (stride < sizeof(double) || stride % sizeof(double) != 0 || stride > INT_MAX)
            throw std::invalid_argument("a stride must be a multiple of 8 bytes, a double");
        if (!choice.stride) return 1;
        if (choice.operation != "send" && choice.operation != "bcast")
            throw std::invalid_argument("strided are send and bcast only, not " + choice.operation);
        if (choice.size % sizeof(double) != 0)
            throw std::invalid_argument("strided data must be whole doubles, 8 bytes each");
        return stride / sizeof(double);
    }
    [[nodiscard]] std::size_t room(Room room, const CallChoice& choice) const {
        int ranks = 0;
        MPI_Comm_size(communicator_, &ranks);
        const std::size_t block = choice.size * step_;
        const std::size_t blocks = block * static_cast<std::size_t>(ranks);
        if (room == Room::block || (room == Room::block_at_root && rank_ == 0)) return block;
        if (room == Room::blocks || (room == Room::blocks_at_root && rank_ == 0)) return blocks;
        return 0;
    }

    /// The message between the doubles of `memory`, or where they are packed.
    struct Message {
        void* data;
        int count;
        MPI_Datatype type;
    };
    Message message(CallMemory& memory) {
        if (!packed_.empty()) return {packed_.data(), count_, MPI_BYTE};
        if (type_) return {memory.data(), 1, type_->get()};
        return {memory.data(), count_, MPI_BYTE};
    }
    void pack(CallMemory& memory) {
        if (!packed_.empty())
            copy_->pack(packed_.data(), static_cast<double*>(memory.data()), packed_.size(), step_);
    }
    void unpack(CallMemory& memory) {
        if (!packed_.empty())
            copy_->unpack(static_cast<double*>(memory.data()), packed_.data(), packed_.size(),
                          step_);
    }

    void send() {
        constexpr int tag = 32763;
        const int peer = 1 - rank_;
        // What is strided goes back from where it came to, and to where it came from: a rank that
        // also had another array in its cache would find less of either there.
        CallMemory& from = step_ > 1 && rank_ == 1 ? in_ : out_;
        CallMemory& to = step_ > 1 && rank_ == 0 ? out_ : in_;
        const auto one_way = [&](bool sends) {
            if (sends) {
                pack(from);
                const Message out = message(from);
                check_mpi(MPI_Send(out.data, out.count, out.type, peer, tag, communicator_),
                          "MPI_Send", peer);
            } else {
                const Message in = message(to);
                check_mpi(MPI_Recv(in.data, in.count, in.type, peer, tag, communicator_,
                                   MPI_STATUS_IGNORE),
                          "MPI_Recv", peer);
                unpack(to);
            }
        };
        if (rank_ > 1) return;
        one_way(rank_ == 0);
        one_way(rank_ == 1);
    }
    // NOLINTNEXTLINE(readability-make-member-function-const): called as the others are
    void barrier() { check_mpi(MPI_Barrier(communicator_), "MPI_Barrier"); }
    void bcast() {
        if (rank_ == 0) pack(in_);
        const Message whole = message(in_);
        check_mpi(MPI_Bcast(whole.data, whole.count, whole.type, 0, communicator_), "MPI_Bcast");
        if (rank_ != 0) unpack(in_);
    }
    void alltoall() {
        check_mpi(MPI_Alltoall(out_.data(), count_, MPI_BYTE, in_.data(), count_, MPI_BYTE,
                               communicator_),
                  "MPI_Alltoall");
    }
    void allgather() {
        check_mpi(MPI_Allgather(out_.data(), count_, MPI_BYTE, in_.data(), count_, MPI_BYTE,
                                communicator_),
                  "MPI_Allgather");
    }
    void allreduce() {
        check_mpi(MPI_Allreduce(out_.data(), in_.data(), count_, MPI_BYTE, MPI_BOR, communicator_),
                  "MPI_Allreduce");
    }
    void reduce() {
        check_mpi(MPI_Reduce(out_.data(), in_.data(), count_, MPI_BYTE, MPI_BOR, 0, communicator_),
                  "MPI_Reduce");
    }
    void reduce_scatter() {
        check_mpi(MPI_Reduce_scatter_block(out_.data(), in_.data(), count_, MPI_BYTE, MPI_BOR,
                                           communicator_),
                  "MPI_Reduce_scatter_block");
    }
    void gather() {
        check_mpi(MPI_Gather(out_.data(), count_, MPI_BYTE, in_.data(), count_, MPI_BYTE, 0,
                             communicator_),
                  "MPI_Gather");
    }
    void scatter() {
        check_mpi(MPI_Scatter(out_.data(), count_, MPI_BYTE, in_.data(), count_, MPI_BYTE, 0,
                              communicator_),
                  "MPI_Scatter");
    }

    const Operation& operation_;
    MPI_Comm communicator_;
    int rank_;
    int count_;
    std::size_t step_;
    PageVector<double> packed_;  ///< empty where nothing is packed
    std::optional<StridedType> type_;
    std::optional<MemoryCopy> copy_;
    CallMemory out_;
    CallMemory in_;
};

}  // namespace lapwing

#include "lapwing/calibrate/benchmarks/collective_call.hpp"

#include <array>
#include <climits>
#include <stdexcept>

#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing {
namespace {

constexpr int send_tag = 32763;

int rank_in(MPI_Comm communicator) {
    int rank = 0;
    MPI_Comm_rank(communicator, &rank);
    return rank;
}

int count_of(const CallChoice& choice) {
    if (choice.size > INT_MAX) throw std::invalid_argument("a message of 2 GB or more");
    return static_cast<int>(choice.size);
}

/// Doubles from one to the next.
std::size_t step_of(const CallChoice& choice) {
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

}  // namespace

CollectiveCall::CollectiveCall(const CallChoice& choice, MPI_Comm communicator)
    : operation_(find(choice.operation)),
      communicator_(communicator),
      rank_(rank_in(communicator)),
      count_(count_of(choice)),
      step_(step_of(choice)),
      packed_(choice.packed && choice.stride ? choice.size / sizeof(double) : 0),
      out_(room(operation_.sends, choice)),
      in_(room(operation_.receives, choice)) {
    if (!packed_.empty()) copy_.emplace();
    if (choice.stride && !choice.packed)
        type_.emplace(count_ / static_cast<int>(sizeof(double)), static_cast<int>(step_));
}

const CollectiveCall::Operation& CollectiveCall::find(const std::string& name) {
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

std::size_t CollectiveCall::room(Room room, const CallChoice& choice) const {
    int ranks = 0;
    MPI_Comm_size(communicator_, &ranks);
    const std::size_t block = choice.size * step_;
    const std::size_t blocks = block * static_cast<std::size_t>(ranks);
    if (room == Room::block || (room == Room::block_at_root && rank_ == 0)) return block;
    if (room == Room::blocks || (room == Room::blocks_at_root && rank_ == 0)) return blocks;
    return 0;
}

/// The message of the doubles in `memory`, or of those that are packed.
CollectiveCall::Message CollectiveCall::message(CallMemory& memory) {
    if (!packed_.empty()) return {packed_.data(), count_, MPI_BYTE};
    if (type_) return {memory.data(), 1, type_->get()};
    return {memory.data(), count_, MPI_BYTE};
}

void CollectiveCall::pack(CallMemory& memory) {
    if (!packed_.empty())
        copy_->pack(packed_.data(), static_cast<double*>(memory.data()), packed_.size(), step_);
}

void CollectiveCall::unpack(CallMemory& memory) {
    if (!packed_.empty())
        copy_->unpack(static_cast<double*>(memory.data()), packed_.data(), packed_.size(), step_);
}

/// Strided data goes back from where it arrived, and to where it came from: a rank that also had
/// another array in its cache would find less of either there.
void CollectiveCall::send() {
    if (rank_ > 1) return;
    CallMemory& from = step_ > 1 && rank_ == 1 ? in_ : out_;
    CallMemory& to = step_ > 1 && rank_ == 0 ? out_ : in_;
    if (rank_ == 0) {
        send_one_way(from);
        receive_one_way(to);
    } else {
        receive_one_way(to);
        send_one_way(from);
    }
}

void CollectiveCall::send_one_way(CallMemory& from) {
    const int peer = 1 - rank_;
    pack(from);
    const Message out = message(from);
    check_mpi(MPI_Send(out.data, out.count, out.type, peer, send_tag, communicator_), "MPI_Send",
              peer);
}

void CollectiveCall::receive_one_way(CallMemory& to) {
    const int peer = 1 - rank_;
    const Message in = message(to);
    check_mpi(
        MPI_Recv(in.data, in.count, in.type, peer, send_tag, communicator_, MPI_STATUS_IGNORE),
        "MPI_Recv", peer);
    unpack(to);
}

// NOLINTNEXTLINE(readability-make-member-function-const): called as the others are
void CollectiveCall::barrier() { check_mpi(MPI_Barrier(communicator_), "MPI_Barrier"); }

void CollectiveCall::bcast() {
    if (rank_ == 0) pack(in_);
    const Message whole = message(in_);
    check_mpi(MPI_Bcast(whole.data, whole.count, whole.type, 0, communicator_), "MPI_Bcast");
    if (rank_ != 0) unpack(in_);
}

void CollectiveCall::alltoall() {
    check_mpi(
        MPI_Alltoall(out_.data(), count_, MPI_BYTE, in_.data(), count_, MPI_BYTE, communicator_),
        "MPI_Alltoall");
}

void CollectiveCall::allgather() {
    check_mpi(
        MPI_Allgather(out_.data(), count_, MPI_BYTE, in_.data(), count_, MPI_BYTE, communicator_),
        "MPI_Allgather");
}

void CollectiveCall::allreduce() {
    check_mpi(MPI_Allreduce(out_.data(), in_.data(), count_, MPI_BYTE, MPI_BOR, communicator_),
              "MPI_Allreduce");
}

void CollectiveCall::reduce() {
    check_mpi(MPI_Reduce(out_.data(), in_.data(), count_, MPI_BYTE, MPI_BOR, 0, communicator_),
              "MPI_Reduce");
}

void CollectiveCall::reduce_scatter() {
    check_mpi(
        MPI_Reduce_scatter_block(out_.data(), in_.data(), count_, MPI_BYTE, MPI_BOR, communicator_),
        "MPI_Reduce_scatter_block");
}

void CollectiveCall::gather() {
    check_mpi(
        MPI_Gather(out_.data(), count_, MPI_BYTE, in_.data(), count_, MPI_BYTE, 0, communicator_),
        "MPI_Gather");
}

void CollectiveCall::scatter() {
    check_mpi(
        MPI_Scatter(out_.data(), count_, MPI_BYTE, in_.data(), count_, MPI_BYTE, 0, communicator_),
        "MPI_Scatter");
}

}  // namespace lapwing

#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

#include "lapwing/compute/clock.hpp"
#include "lapwing/compute/memory_copy.hpp"
#include "lapwing/plan/plan.hpp"
#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"
#include "lapwing/transport/mpi/request.hpp"
#include "lapwing/transport/mpi/strided_type.hpp"
#include "lapwing/transport/transport.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace lapwing::tools {

/// A transport: two-sided messages of doubles that lie in blocks with gaps between them, in
/// `spread()`. Callers name a message by the place it has, or would have, in contiguous memory,
/// `packed()`. With a derived type MPI moves it from its blocks to its blocks. Packed by hand it
/// goes through the contiguous memory: `send` packs it, `unpack` unpacks what has arrived.
class StridedMessages {
  public:
    using Request = MpiRequest;

    /// `elements` in all, in blocks of `length` elements, `stride` elements from one block to the
    /// next.
    StridedMessages(MPI_Comm original, std::size_t elements, std::size_t length, std::size_t stride)
        : communicator_(original),
          messages_(original),
          length_(length),
          stride_(stride),
          spread_(elements / length * stride),
          packed_(elements) {}

    /// Whether to pack by hand or to use a derived type; the same on both ranks.
    void set_packing(Packing packing) {
        by_hand_ = packing == Packing::copy || packing == Packing::blocked;
    }

    [[nodiscard]] std::span<double> packed() { return packed_; }
    [[nodiscard]] std::span<double> spread() { return spread_; }  ///< the blocks, with their gaps
    /// Copies `elements` to the blocks of the elements from `first` on.
    void put(std::size_t first, std::span<const double> elements) {
        copy_blocks(place(first), {elements.data(), length_}, elements.size() / length_, length_);
    }
    /// Copies the elements from `first` on out of their blocks.
    void bring(std::size_t first, std::span<double> elements) {
        copy_blocks({elements.data(), length_}, there(first), elements.size() / length_, length_);
    }

    // Messages are whole blocks; `from` and `into` point into `packed()`.
    Request send(const void* from, std::size_t bytes, int peer, int tag) {
        const std::size_t first = number_of(from);
        if (by_hand_) {
            copy_.blocks({packed_.data() + first, length_}, there(first), blocks_in(bytes),
                         length_);
            return messages_.send(from, bytes, peer, tag);
        }
        const StridedType type = type_of(bytes);
        MPI_Request handle = MPI_REQUEST_NULL;
        check_mpi(
            MPI_Isend(place(first).first, 1, type.get(), peer, tag, communicator_.get(), &handle),
            "MPI_Isend", peer);
        return {handle, peer};
    }
    Request receive(void* into, std::size_t bytes, int peer, int tag) {
        if (by_hand_) return messages_.receive(into, bytes, peer, tag);
        const StridedType type = type_of(bytes);
        MPI_Request handle = MPI_REQUEST_NULL;
        check_mpi(MPI_Irecv(place(number_of(into)).first, 1, type.get(), peer, tag,
                            communicator_.get(), &handle),
                  "MPI_Irecv", peer);
        return {handle, peer};
    }
    [[nodiscard]] static double now() { return lapwing::now(); }

    /// Copies a message that has arrived to its blocks, if messages are packed by hand.
    void unpack(std::span<const double> arrived) {
        if (!by_hand_) return;
        copy_.blocks(place(number_of(arrived.data())), {arrived.data(), length_},
                     blocks_in(arrived.size_bytes()), length_);
    }

  private:
    [[nodiscard]] std::size_t number_of(const void* at) const {
        return static_cast<std::size_t>(static_cast<const double*>(at) - packed_.data());
    }
    [[nodiscard]] std::size_t blocks_in(std::size_t bytes) const {
        return bytes / sizeof(double) / length_;
    }
    /// Where the block that begins with this element lies.
    [[nodiscard]] Spread<double> place(std::size_t element) {
        return {spread_.data() + element / length_ * stride_, stride_};
    }
    [[nodiscard]] Spread<const double> there(std::size_t element) {
        const Spread<double> here = place(element);
        return {here.first, here.stride};
    }
    [[nodiscard]] StridedType type_of(std::size_t bytes) const {
        return {static_cast<int>(blocks_in(bytes)), static_cast<int>(stride_),
                static_cast<int>(length_)};
    }

    Communicator communicator_;
    TwoSided messages_;
    MemoryCopy copy_;
    std::size_t length_;
    std::size_t stride_;
    std::vector<double> spread_;
    std::vector<double> packed_;
    bool by_hand_ = false;
};

static_assert(Transport<StridedMessages>);

}  // namespace lapwing::tools

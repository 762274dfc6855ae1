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

/// Two-sided messages of doubles that lie in blocks with gaps between them. A program says which by
/// where they would lie side by side, in `packed()`. By a derived type they go from their places
/// to their places. Packed by hand they go through that memory: `send` packs them into it, `unpack`
/// puts what has arrived in its places.
class StridedMessages {
  public:
    using Request = MpiRequest;

    /// `elements` in all, in blocks of `length`, which begin `stride` elements apart.
    StridedMessages(MPI_Comm original, std::size_t elements, std::size_t length, std::size_t stride)
        : communicator_(original),
          messages_(original),
          length_(length),
          stride_(stride),
          spread_(elements / length * stride),
          packed_(elements) {}

    /// By a derived type or, otherwise, by hand: the same at both ends.
    void set_packing(Packing packing) {
        by_hand_ = packing == Packing::copy || packing == Packing::blocked;
    }

    [[nodiscard]] std::span<double> packed() { return packed_; }
    [[nodiscard]] std::span<double> spread() { return spread_; }  ///< gaps and all
    /// Puts `elements` where those from `first` on lie.
    void put(std::size_t first, std::span<const double> elements) {
        copy_blocks(place(first), {elements.data(), length_}, elements.size() / length_, length_);
    }
    /// Brings those that lie there side by side.
    void bring(std::size_t first, std::span<double> elements) {
        copy_blocks({elements.data(), length_}, there(first), elements.size() / length_, length_);
    }

    // Whole blocks, within `packed()`.
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

    /// Of what has arrived.
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
    /// Where the block lies that begins with this element.
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

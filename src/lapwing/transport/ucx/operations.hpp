#pragma once

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "lapwing/transport/operation.hpp"
#include "lapwing/transport/ucx/ucx.hpp"

namespace lapwing::ucx {

/// The common part of puts and gets: rank 0 moves bytes between its buffer and the region of rank
/// 1. Rank 1 calls UCX in `attend`, until a counter in its region says that rank 0 is done. Where
/// UCX moves data by software, an operation waits for nothing but that call.
class OneSided {
  public:
    static constexpr const char* transport = "ucx";
    using Request = UcxRequest;

    /// `pair`: two ranks, of which rank 0 initiates. `capacity`: bytes of the buffers.
    OneSided(MPI_Comm pair, std::size_t capacity)
        : ucx_(pair, counter_bytes + capacity), buffer_(capacity), capacity_(capacity) {
        std::fill_n(ucx_.region().data() + counter_bytes, capacity, std::byte{1});
    }

    void prepare(std::uint64_t, std::uint64_t) {}
    /// Rank 0 waits for nothing that rank 1 does, and may be rounds ahead.
    void attend(std::uint64_t, std::uint64_t) {
        ++rounds_;
        const std::atomic_ref<std::uint64_t> counter(
            *reinterpret_cast<std::uint64_t*>(ucx_.region().data()));
        ucx_.worker().progress_until(
            [&] { return counter.load(std::memory_order_acquire) >= rounds_; });
    }

  protected:
    static constexpr int target = 1;

    [[nodiscard]] Ucx& ucx() { return ucx_; }
    /// Tells rank 1 that everything is complete.
    void tell() {
        ++rounds_;
        ucx_.put(&rounds_, sizeof rounds_, target, 0).wait();
    }
    [[nodiscard]] std::byte* place(std::uint64_t index, std::uint64_t bytes) {
        return buffer_.place(index, bytes);
    }
    [[nodiscard]] std::size_t offset(std::uint64_t index, std::uint64_t bytes) const {
        return counter_bytes + place_in(capacity_, index, bytes);
    }
    /// The bytes of operation `index` in rank 0's buffer; empty at rank 1.
    [[nodiscard]] std::span<std::byte> local(std::uint64_t index, std::uint64_t bytes) {
        return buffer_.part(ucx_.rank() == 0, index, bytes);
    }
    /// The bytes of operation `index` in rank 1's region; empty at rank 0.
    [[nodiscard]] std::span<std::byte> remote(std::uint64_t index, std::uint64_t bytes) {
        return {ucx_.region().data() + offset(index, bytes), ucx_.rank() == 1 ? bytes : 0};
    }

  private:
    static constexpr std::size_t counter_bytes = 64;  // a cache line of its own

    Ucx ucx_;
    OperationBuffer buffer_;
    std::size_t capacity_;
    std::uint64_t rounds_ = 0;  ///< preparations that are over
};

/// `ucp_put_nbx`, complete at the target after a flush.
class Put : public OneSided {
  public:
    static constexpr const char* name = "put";
    using OneSided::OneSided;

    Request start(std::uint64_t index, std::uint64_t bytes) {
        return ucx().put(place(index, bytes), bytes, target, offset(index, bytes));
    }
    void finish() {
        ucx().flush(target).wait();
        tell();
    }
    std::span<std::byte> outgoing(std::uint64_t index, std::uint64_t bytes) {
        return local(index, bytes);
    }
    std::span<std::byte> incoming(std::uint64_t index, std::uint64_t bytes) {
        return remote(index, bytes);
    }
};

/// `ucp_get_nbx`, complete with its request. It takes a round trip.
class Get : public OneSided {
  public:
    static constexpr const char* name = "get";
    using OneSided::OneSided;

    Request start(std::uint64_t index, std::uint64_t bytes) {
        return ucx().get(place(index, bytes), bytes, target, offset(index, bytes));
    }
    void finish() { tell(); }
    std::span<std::byte> outgoing(std::uint64_t index, std::uint64_t bytes) {
        return remote(index, bytes);
    }
    std::span<std::byte> incoming(std::uint64_t index, std::uint64_t bytes) {
        return local(index, bytes);
    }
};

static_assert(InspectableOperation<Put> && InspectableOperation<Get>);

/// Calls `visit(operation)` for each operation of this transport, in the same order on both ranks
/// of `pair`. `capacity`: the most bytes that an operation may move.
template <class Visit>
void operations(MPI_Comm pair, std::size_t capacity, Visit&& visit) {
    {
        Put put(pair, capacity);
        visit(put);
    }
    Get get(pair, capacity);
    visit(get);
}

}  // namespace lapwing::ucx

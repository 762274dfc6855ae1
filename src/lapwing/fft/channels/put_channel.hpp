#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/fft/distribution/route.hpp"
#include "lapwing/pipeline/agreement/require_same_plan.hpp"
#include "lapwing/transport/mpi/barrier.hpp"
#include "lapwing/transport/rma/rma.hpp"

namespace lapwing::fft {

/// Puts rows into the buffers of other ranks, which are windows. Who puts knows where: nobody
/// is asked, and one barrier for each stage says that all has arrived (Bell et al. 2006,
/// section 5.3). Another, which is under way while the first plane is transformed, says that
/// the buffers are no longer read. All ranks take part in both, whatever their groups.
class PutChannel {
  public:
    static constexpr bool all_to_all = false;
    using Request = Rma::Flushed;

    /// Collective over `ranks`. `bytes`: of the buffers, the same on all ranks.
    PutChannel(MPI_Comm ranks, std::size_t bytes)
        : rma_(ranks, bytes + alignment),
          begins_(agreement::values_of_all_ranks(to_aligned(rma_.data()), rma_.communicator())),
          barrier_(rma_.communicator()) {}

    [[nodiscard]] std::byte* buffer() { return rma_.data() + begin(rma_.rank()); }
    /// From now on what the others send may arrive in the buffer.
    void open(const Route&, int) { barrier_.begin(); }
    /// Returns when this rank may send.
    void await_open() { barrier_.wait(); }
    /// Anything may arrive when the buffers are open.
    static void expect(std::size_t, std::size_t) {}
    /// Message `index` of member `me` to member `peer`, from `data`, which is in use until the
    /// request is complete.
    [[nodiscard]] Request send(const Route& route, const void* data, int me, int peer,
                               std::size_t index) {
        const int rank = route.group().rank(peer);
        return rma_.put(data, route.bytes(me, peer, index), rank,
                        begin(rank) + route.place(me, peer, index));
    }
    /// Nothing waits for what arrives.
    static void progress() {}
    /// Returns when all that the others send in this stage is in the buffer. To be called once
    /// for each, when the own requests of it are complete.
    void await(std::size_t) {
        await_open();
        barrier_.begin();
        barrier_.wait();
        rma_.sync();
    }
    static void close() {}

  private:
    // Windows begin where MPI likes, and transforms want better.
    static constexpr std::size_t alignment = 64;
    static std::uint64_t to_aligned(const std::byte* data) {
        return (alignment - reinterpret_cast<std::uintptr_t>(data) % alignment) % alignment;
    }
    [[nodiscard]] std::size_t begin(int rank) const {
        return begins_[static_cast<std::size_t>(rank)];
    }

    Rma rma_;
    std::vector<std::uint64_t> begins_;  ///< of the buffer in each rank's window
    Barrier barrier_;
};

}  // namespace lapwing::fft

#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "lapwing/fft/distribution/route.hpp"
#include "lapwing/fft/options.hpp"
#include "lapwing/fft/puts/open_puts.hpp"
#include "lapwing/fft/puts/puts.hpp"
#include "lapwing/pipeline/agreement/check_agreement.hpp"
#include "lapwing/transport/mpi/barrier.hpp"

namespace lapwing::fft {

/// Puts into the buffers of other ranks. The origin computes where data belongs at the target, so
/// that no rank is asked. One barrier a stage tells that everything has
/// arrived (Bell et al. 2006, section 5.3). Another, which is in flight while the first plane is
/// transformed, tells that the buffers are no longer read. All ranks take part in both barriers,
/// whatever their groups.
class PutChannel {
  public:
    using Request = Puts::Request;

    /// Collective over `ranks`. `transport`: the library that puts; `bytes`: of the buffer, the
    /// same on all ranks.
    PutChannel(Transport transport, MPI_Comm ranks, std::size_t bytes)
        : puts_(open_puts(transport, ranks, bytes + alignment)),
          begins_(agreement::values_of_all_ranks(to_aligned(puts_->data()), puts_->communicator())),
          barrier_(puts_->communicator()) {}

    [[nodiscard]] std::byte* buffer() {
        return puts_->data() + begin(puts_->communicator().rank());
    }
    /// Allows others to put into the buffer from now on.
    void open(const Route&, int) { barrier_.begin(); }
    /// Returns when this rank may put.
    void await_open() { barrier_.wait(); }
    /// Does nothing: an open buffer accepts everything.
    static void expect(std::size_t, std::size_t) {}
    /// Puts message `index` of member `me` to member `peer`. `data` must not change until the
    /// request is complete.
    [[nodiscard]] Request send(const Route& route, const void* data, int me, int peer,
                               std::size_t index) {
        const int rank = route.group().rank(peer);
        return puts_->put(data, route.bytes(me, peer, index), rank,
                          begin(rank) + route.place(me, peer, index));
    }
    /// Does nothing: no operation of the target's is pending.
    static void progress() {}
    /// Returns when everything that others put in this stage is in the buffer. To be called once a
    /// stage, after this rank's own requests of that stage are complete.
    void await(std::size_t) {
        await_open();
        puts_->flush();
        barrier_.begin();
        barrier_.wait();
        puts_->sync();
    }
    static void close() {}

  private:
    // Libraries align memory as they like; transforms are faster on cache lines.
    static constexpr std::size_t alignment = 64;
    static std::uint64_t to_aligned(const std::byte* data) {
        return (alignment - reinterpret_cast<std::uintptr_t>(data) % alignment) % alignment;
    }
    [[nodiscard]] std::size_t begin(int rank) const {
        return begins_[static_cast<std::size_t>(rank)];
    }

    std::unique_ptr<Puts> puts_;
    std::vector<std::uint64_t> begins_;  ///< where the buffer begins in each rank's memory
    Barrier barrier_;
};

}  // namespace lapwing::fft

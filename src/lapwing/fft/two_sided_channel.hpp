#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "lapwing/compute/storage.hpp"
#include "lapwing/fft/route.hpp"
#include "lapwing/pipeline/tag.hpp"
#include "lapwing/transport/request.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace lapwing::fft {

/// Brings rows into the buffers of other ranks by non-blocking messages. All receives are posted
/// before the first plane is transformed, so that no message arrives unexpected (Bell et al. 2006,
/// section 6).
class TwoSidedChannel {
  public:
    using Request = MpiRequest;

    /// `bytes`: of this rank's buffer.
    TwoSidedChannel(MPI_Comm ranks, std::size_t bytes) : transport_(ranks), buffer_(bytes) {}

    [[nodiscard]] std::byte* buffer() { return buffer_.data(); }
    /// From now on what the others of the route's group send to `me` may arrive in the buffer.
    void open(const Route& route, int me) {
        for (int distance = 1; distance < route.ranks(); ++distance) {
            const int peer = (me + route.ranks() - distance) % route.ranks();
            const std::size_t bytes = route.bytes(peer, me);
            for (std::size_t i = 0; i < route.messages(peer, me); ++i)
                arriving_.push_back(transport_.receive(buffer() + route.place(peer, me, i), bytes,
                                                       route.group().rank(peer), message_tag(i)));
        }
    }
    /// Returns when this rank may send: any time.
    static void await_open() {}
    /// Message `index` of member `me` to member `peer`, from `data`, which is in use until the
    /// request is complete.
    [[nodiscard]] Request send(const Route& route, const void* data, int me, int peer,
                               std::size_t index) {
        return transport_.send(data, route.bytes(me, peer), route.group().rank(peer),
                               message_tag(index));
    }
    /// Returns when all that the others send is in the buffer.
    void close() {
        for (MpiRequest& request : arriving_) request.wait();
        arriving_.clear();
    }

  private:
    TwoSided transport_;
    Storage<std::byte> buffer_;
    std::vector<MpiRequest> arriving_;  // destroyed before the buffer: their destructors wait
};

}  // namespace lapwing::fft

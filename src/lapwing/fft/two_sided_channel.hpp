#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "lapwing/compute/storage.hpp"
#include "lapwing/fft/route.hpp"
#include "lapwing/transport/request.hpp"
#include "lapwing/transport/tag.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace lapwing::fft {

/// Brings rows into the buffers of other ranks by non-blocking messages. All receives are posted
/// before the first plane is transformed, so that no message arrives unexpected (Bell et al. 2006,
/// section 6).
class TwoSidedChannel {
  public:
    static constexpr bool all_to_all = false;
    using Request = MpiRequest;

    /// `bytes`: of this rank's buffer.
    TwoSidedChannel(MPI_Comm ranks, std::size_t bytes) : transport_(ranks), buffer_(bytes) {}

    [[nodiscard]] std::byte* buffer() { return buffer_.data(); }
    /// From now on what the others of the route's group send to `me` may arrive in the buffer.
    void open(const Route& route, int me) {
        for (int distance = 1; distance < route.ranks(); ++distance) {
            const int peer = (me + route.ranks() - distance) % route.ranks();
            for (std::size_t i = 0; i < route.messages(peer, me); ++i) {
                const std::size_t bytes = route.bytes(peer, me, i);
                if (bytes == 0) continue;
                const int rank = route.group().rank(peer);
                arriving_.push_back(
                    {route.stage(peer, i), transport_.receive(buffer() + route.place(peer, me, i),
                                                              bytes, rank, message_tag(i))});
            }
        }
        // As they are sent: in stages.
        std::stable_sort(arriving_.begin(), arriving_.end(),
                         [](const Arriving& a, const Arriving& b) { return a.stage < b.stage; });
        next_ = 0;
    }
    /// Returns when this rank may send: any time.
    static void await_open() {}
    /// Message `index` of member `me` to member `peer`, from `data`, which is in use until the
    /// request is complete.
    [[nodiscard]] Request send(const Route& route, const void* data, int me, int peer,
                               std::size_t index) {
        return transport_.send(data, route.bytes(me, peer, index), route.group().rank(peer),
                               message_tag(index));
    }
    /// Lets what arrives advance: what MPI finds complete is not asked for again.
    void progress() {
        while (next_ < arriving_.size() && arriving_[next_].request.test()) ++next_;
    }
    /// Returns when all that the others send in stages up to `stage` is in the buffer.
    void await(std::size_t stage) {
        for (; next_ < arriving_.size() && arriving_[next_].stage <= stage; ++next_)
            arriving_[next_].request.wait();
    }
    /// To be called when all has arrived.
    void close() { arriving_.clear(); }

  private:
    struct Arriving {
        std::size_t stage;
        MpiRequest request;
    };
    TwoSided transport_;
    Storage<std::byte> buffer_;
    std::vector<Arriving> arriving_;  // destroyed before the buffer: their destructors wait
    std::size_t next_ = 0;            ///< the first that has not been waited for
};

}  // namespace lapwing::fft

#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/storage.hpp"
#include "lapwing/fft/distribution/route.hpp"
#include "lapwing/transport/mpi/request.hpp"
#include "lapwing/transport/tag.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace lapwing::fft {

/// Sends to the buffers of other ranks by non-blocking messages.
///
/// Receives are posted in step with sends: for as many planes of the other ranks as this rank has
/// reached. If all are posted before the first plane is transformed (Bell et al. 2006, section 6),
/// an MPI does the rendezvous of all long messages at once, and over TCP sent and received data
/// then alternate instead of overlapping. No rank waits forever for a receive that is not posted:
/// the rank that is furthest behind waits only for messages of planes up to its own.
class TwoSidedChannel {
  public:
    using Request = MpiRequest;

    /// `bytes`: of the buffer.
    TwoSidedChannel(MPI_Comm ranks, std::size_t bytes) : transport_(ranks), buffer_(bytes) {}

    [[nodiscard]] std::byte* buffer() { return buffer_.data(); }
    /// Prepares for all that other members of the route's group send to `me`.
    void open(const Route& route, int me) {
        for (int distance = 1; distance < route.ranks(); ++distance) {
            const int peer = (me + route.ranks() - distance) % route.ranks();
            for (std::size_t i = 0; i < route.messages(peer, me); ++i) {
                const std::size_t bytes = route.bytes(peer, me, i);
                if (bytes == 0) continue;
                Arriving& next = arriving_.emplace_back();
                next.stage = route.stage(peer, i);
                next.plane = route.plane_of(peer, me, i);
                next.place = route.place(peer, me, i);
                next.bytes = bytes;
                next.rank = route.group().rank(peer);
                next.tag = message_tag(i);
            }
        }
        // In the order in which they are sent: by stage, then by plane.
        std::stable_sort(arriving_.begin(), arriving_.end(),
                         [](const Arriving& a, const Arriving& b) {
                             return a.stage != b.stage ? a.stage < b.stage : a.plane < b.plane;
                         });
        next_ = 0;
        posted_ = 0;
        // In simulated time receives cost nothing while they are pending.
        if (simulated_time) expect(route.stages(), 0);
    }
    /// Posts receives for all stages before `stage`, and in this stage for the first `planes`
    /// planes of each other rank. A rank does so before it sends as much itself.
    void expect(std::size_t stage, std::size_t planes) {
        for (; posted_ < arriving_.size(); ++posted_) {
            Arriving& next = arriving_[posted_];
            if (next.stage > stage || (next.stage == stage && next.plane >= planes)) return;
            next.request =
                transport_.receive(buffer() + next.place, next.bytes, next.rank, next.tag);
        }
    }
    /// Returns when this rank may send, which is at once.
    static void await_open() {}
    /// Sends message `index` of member `me` to member `peer`. `data` must not change until the
    /// request is complete.
    [[nodiscard]] Request send(const Route& route, const void* data, int me, int peer,
                               std::size_t index) {
        return transport_.send(data, route.bytes(me, peer, index), route.group().rank(peer),
                               message_tag(index));
    }
    /// Lets MPI progress the pending receives, and skips those that are complete.
    void progress() {
        while (next_ < posted_ && arriving_[next_].request.test()) ++next_;
    }
    /// Returns when everything that others send in stages up to `stage` is in the buffer. Receives
    /// for it must have been posted by `expect`.
    void await(std::size_t stage) {
        for (; next_ < arriving_.size() && arriving_[next_].stage <= stage; ++next_)
            arriving_[next_].request.wait();
    }
    /// To be called when everything has arrived.
    void close() { arriving_.clear(); }

  private:
    struct Arriving {
        std::size_t stage = 0;
        std::size_t plane = 0;
        std::size_t place = 0;
        std::size_t bytes = 0;
        int rank = 0;
        int tag = 0;
        MpiRequest request;
    };
    TwoSided transport_;
    Storage<std::byte> buffer_;
    std::vector<Arriving> arriving_;  // after the buffer: their destructors wait for data
    std::size_t posted_ = 0;          ///< receives posted
    std::size_t next_ = 0;            ///< the first that is not known to be complete
};

}  // namespace lapwing::fft

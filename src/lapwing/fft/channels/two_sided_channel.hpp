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

/// Brings rows into the buffers of other ranks by non-blocking messages.
///
/// Receives are posted in step with sends, those of as many planes of the others as this rank has
/// got to itself. Posted all before the first plane is transformed (Bell et al. 2006, section 6),
/// they let an MPI that first agrees on each long message agree on all at once, and over TCP what
/// leaves and what arrives then take turns. Nobody waits for a receive that is not posted: who is
/// furthest behind waits for messages of planes no later than its own.
class TwoSidedChannel {
  public:
    static constexpr bool all_to_all = false;
    using Request = MpiRequest;

    /// `bytes`: of this rank's buffer.
    TwoSidedChannel(MPI_Comm ranks, std::size_t bytes) : transport_(ranks), buffer_(bytes) {}

    [[nodiscard]] std::byte* buffer() { return buffer_.data(); }
    /// From now on what the others of the route's group send to `me` is expected in the buffer.
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
        // As they are sent: in stages, plane by plane.
        std::stable_sort(arriving_.begin(), arriving_.end(),
                         [](const Arriving& a, const Arriving& b) {
                             return a.stage != b.stage ? a.stage < b.stage : a.plane < b.plane;
                         });
        next_ = 0;
        posted_ = 0;
        // In simulated time messages move by themselves, as soon as they may.
        if (simulated_time) expect(route.stages(), 0);
    }
    /// From now on what the others send in stages before `stage` may arrive, and in this one, of
    /// their first `planes` planes. Each rank says so before it sends as much.
    void expect(std::size_t stage, std::size_t planes) {
        for (; posted_ < arriving_.size(); ++posted_) {
            Arriving& next = arriving_[posted_];
            if (next.stage > stage || (next.stage == stage && next.plane >= planes)) return;
            next.request =
                transport_.receive(buffer() + next.place, next.bytes, next.rank, next.tag);
        }
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
        while (next_ < posted_ && arriving_[next_].request.test()) ++next_;
    }
    /// Returns when all that the others send in stages up to `stage`, which is expected, is in the
    /// buffer.
    void await(std::size_t stage) {
        for (; next_ < arriving_.size() && arriving_[next_].stage <= stage; ++next_)
            arriving_[next_].request.wait();
    }
    /// To be called when all has arrived.
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
    std::vector<Arriving> arriving_;  // destroyed before the buffer: their destructors wait
    std::size_t posted_ = 0;          ///< so many of them
    std::size_t next_ = 0;            ///< the first that has not been waited for
};

}  // namespace lapwing::fft

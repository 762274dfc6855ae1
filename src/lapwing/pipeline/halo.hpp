#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lapwing/pipeline/trace/trace.hpp"
#include "lapwing/pipeline/window/poll.hpp"
#include "lapwing/transport/failure/on_failure.hpp"
#include "lapwing/transport/repeated.hpp"
#include "lapwing/transport/streams.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// What is exchanged with one neighbour. Its elements lie side by side; a column is packed, see
/// `Halo::exchange`.
///
/// What is sent with a tag arrives where the neighbour receives with the same tag. On a grid,
/// number the sides so that `s` and `s ^ 1` are opposite: side `s` sends with tag `s` and receives
/// with `s ^ 1`. Then nothing is mixed up where two ranks meet on both sides, or where a rank is
/// its own neighbour.
template <class Element>
struct Edge {
    int peer = -1;                  ///< rank of the neighbour; negative: none, the grid ends here
    std::span<const Element> send;  ///< our elements that it needs
    std::span<Element> receive;     ///< room for its elements that we need
    int send_tag = 0;
    int receive_tag = 0;
};

/// Exchanges a few edges with neighbours, again and again, as an iteration over a distributed grid
/// does: the edges travel while the interior is computed.
///
///     lapwing::Halo halo(transport, edges);
///     for (...) halo.exchange([&] { compute_interior(); }, [&](std::size_t edge) { ... });
///
/// Collective over neighbours: both sides of an edge exchange equally often. The transport and the
/// edges' memory outlive it. The transport is told once what repeats, see `Repeated`.
template <Transport T, class Element, class Recorder = const NoTrace>
class Halo {
  public:
    /// `poll_interval`: seconds between the polls of `lapwing::poll()` inside the interior, as a
    /// plan has them; 0 where messages advance by themselves. `recorder`: a `Trace`, or nothing.
    /// Throws `std::invalid_argument` where two edges to one neighbour have the same tag.
    Halo(T& transport, const std::vector<Edge<Element>>& edges, double poll_interval = 0,
         Recorder& recorder = no_trace)
        : transport_(transport),
          edges_(edges),
          poll_interval_(poll_interval),
          recorder_(recorder),
          incoming_(ordered(edges, &Edge<Element>::receive_tag)),
          outgoing_(ordered(edges, &Edge<Element>::send_tag)),
          receives_(transport),
          sends_(transport),
          arrivals_(incoming_.size()) {
        for (const std::size_t place : incoming_) {
            const Edge<Element>& e = edges[place];
            receives_.add_receive(e.receive.data(), e.receive.size_bytes(), e.peer, e.receive_tag);
        }
        for (const std::size_t place : outgoing_) {
            const Edge<Element>& e = edges[place];
            sends_.add_send(e.send.data(), e.send.size_bytes(), e.peer, e.send_tag);
        }
        std::iota(arrivals_.begin(), arrivals_.end(), std::size_t{0});
        for (std::size_t place = 0; place < edges.size(); ++place)
            if (edges[place].peer < 0) absent_.push_back(place);
    }
    Halo(const Halo&) = delete;
    Halo& operator=(const Halo&) = delete;

    /// Initiates all edges, calls `interior()`, and returns when all edges have arrived and left.
    /// Nothing is copied: until then the edges' memory is in use.
    ///
    /// `border(edge)` is called for each edge as soon as it has arrived, in no certain order, and
    /// for edges without a neighbour, too; `edge` is its index among those given. A `border()`
    /// without parameter is called once, when all have arrived.
    template <class Interior, class Border>
    void exchange(Interior&& interior, Border&& border) {
        exchange([](std::size_t) {}, interior, border);
    }
    /// The same where the border needs no computation of its own.
    template <class Interior>
    void exchange(Interior&& interior) {
        exchange([](std::size_t) {}, interior, [] {});
    }
    /// The same for edges that are packed: `pack(edge)` fills the memory that an edge sends, right
    /// before it is sent, so that the first is under way while the second is packed. `border(edge)`
    /// is the place to unpack.
    template <class Pack, class Interior, class Border>
    void exchange(Pack&& pack, Interior&& interior, Border&& border) {
        try {
            if (std::exchange(interrupted_, false)) wait_for_all();
            initiate(pack);
            const Poller poller(
                poll_interval_, [](void* halo) { static_cast<Halo*>(halo)->progress(); }, this);
            {
                const Traced traced(recorder_, Activity::computation);
                interior();
            }
            complete(border);
        } catch (...) {
            interrupted_ = true;
            failure::report("halo, exchange " + std::to_string(exchanges_));
            throw;
        }
        ++exchanges_;
    }

  private:
    using Tag = int Edge<Element>::*;

    /// Indices of the edges with a neighbour, ordered by their tags. Transports without tags, whose
    /// messages meet in the order of initiation, then bring each to its place.
    [[nodiscard]] static std::vector<std::size_t> ordered(const std::vector<Edge<Element>>& edges,
                                                          Tag tag) {
        std::vector<std::size_t> order;
        for (std::size_t place = 0; place < edges.size(); ++place)
            if (edges[place].peer >= 0) order.push_back(place);
        const auto key = [&](std::size_t place) {
            return std::pair(edges[place].*tag, edges[place].peer);
        };
        std::sort(order.begin(), order.end(),
                  [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
        for (std::size_t i = 1; i < order.size(); ++i)
            if (key(order[i - 1]) == key(order[i]))
                throw std::invalid_argument(
                    "halo: two edges with rank " + std::to_string(key(order[i]).second) +
                    " have the same tag " + std::to_string(key(order[i]).first));
        return order;
    }

    template <class Pack>
    void initiate(Pack& pack) {
        waiting_ = incoming_.size();
        leaving_ = outgoing_.size();
        if constexpr (OffersStreams<T>) return offer_and_initiate(pack);
        for (std::size_t i = 0, count = waiting_; i < count; ++i) start(receives_, i);
        for (std::size_t i = 0, count = outgoing_.size(); i < count; ++i) {
            pack(outgoing_[i]);
            start(sends_, i);
        }
    }
    /// The memory of one-sided edges is offered anew in each exchange, when it is free. Who moves
    /// data waits for the offers of the others: then it travels while the interior is computed. No
    /// offer is behind data: all are made, and expected, before the first data leaves.
    template <class Pack>
    void offer_and_initiate(Pack& pack) {
        for (const std::size_t place : incoming_)
            streams_.incoming(transport_, std::as_writable_bytes(edges_[place].receive),
                              edges_[place].peer);
        for (const std::size_t place : outgoing_) {
            pack(place);
            streams_.outgoing(transport_, std::as_bytes(edges_[place].send), edges_[place].peer,
                              StreamData::complete);
        }
        for (std::size_t i = 0; i < outgoing_.size(); ++i) start(sends_, i);
        for (std::size_t i = 0; i < incoming_.size(); ++i) start(receives_, i);
    }
    void start(Repeated<T>& messages, std::size_t which) {
        const Traced traced(recorder_, Activity::initiation);
        messages.start(which);
    }
    template <class Border>
    void complete(Border& border) {
        if constexpr (std::is_invocable_v<Border&, std::size_t>) {
            const auto consume = [&](std::size_t place) {
                const Traced traced(recorder_, Activity::consumption);
                border(place);
            };
            for (const std::size_t place : absent_) consume(place);
            const std::size_t* const incoming = incoming_.data();
            const std::size_t* const arrivals = arrivals_.data();
            for (std::size_t left = incoming_.size(); left > 0; --left) {
                while (waiting_ == left) await_one();
                consume(incoming[arrivals[left - 1]]);
            }
            wait(sends_);
            streams_.close();
        } else {
            wait_for_all();
            const Traced traced(recorder_, Activity::consumption);
            border();
        }
    }
    void wait(Repeated<T>& messages) {
        const Traced traced(recorder_, Activity::wait);
        messages.wait_all();
    }
    void wait_for_all() {
        wait(receives_);
        wait(sends_);
        streams_.close();
    }
    /// Called by `poll()`. A test of one message lets all of them progress.
    void progress() {
        const Traced traced(recorder_, Activity::poll);
        while (waiting_ > 0)
            if (!test(waiting_ - 1)) return;
        for (; leaving_ > 0; --leaving_)
            if (!sends_.test(leaving_ - 1)) return;
    }
    bool test(std::size_t at) {
        if (!receives_.test(arrivals_[at])) return false;
        arrived(at);
        return true;
    }
    void arrived(std::size_t at) {
        if (at != --waiting_) std::swap(arrivals_[at], arrivals_[waiting_]);
    }
    /// Waits for one more edge; over transports that cannot wait for any of several, looks once.
    void await_one() {
        const Traced traced(recorder_, Activity::wait);
        if constexpr (requires { receives_.wait_any(); }) {
            const std::size_t which = receives_.wait_any();
            const auto found = std::find(arrivals_.begin(), arrivals_.end(), which);
            arrived(static_cast<std::size_t>(found - arrivals_.begin()));
        } else {
            for (std::size_t at = waiting_; at > 0; --at) test(at - 1);
        }
    }

    T& transport_;
    std::vector<Edge<Element>> edges_;
    [[no_unique_address]] OpenStreams<T> streams_;
    double poll_interval_;
    Recorder& recorder_;
    std::uint64_t exchanges_ = 0;
    bool interrupted_ = false;           ///< an exception ended the last exchange
    std::vector<std::size_t> incoming_;  ///< indices of the edges with a neighbour, by receive tag
    std::vector<std::size_t> outgoing_;  ///< the same, by send tag
    std::vector<std::size_t> absent_;    ///< indices of the edges without a neighbour
    Repeated<T> receives_;               ///< as `incoming_`
    Repeated<T> sends_;                  ///< as `outgoing_`
    std::vector<std::size_t> arrivals_;  ///< indices of `receives_`: those under way come first
    std::size_t waiting_ = 0;            ///< receives under way
    std::size_t leaving_ = 0;            ///< sends, from the first, not known to be complete
};

}  // namespace lapwing

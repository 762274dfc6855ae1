#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lapwing/pipeline/failure.hpp"
#include "lapwing/pipeline/poll.hpp"
#include "lapwing/pipeline/trace.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// What is exchanged with one neighbour, in memory that lies side by side; a column is packed, see
/// `Halo::exchange`.
///
/// A message meets the one that the neighbour receives with the same tag. On a grid number the
/// sides, opposite ones `s` and `s ^ 1`: side `s` sends with tag `s` and receives with `s ^ 1`. Two
/// ranks that meet on both sides, or a rank that is its own neighbour, then never mix them up.
template <class Element>
struct Edge {
    int peer = -1;                  ///< rank of the neighbour; negative: none, the grid ends here
    std::span<const Element> send;  ///< our elements that it needs
    std::span<Element> receive;     ///< room for its elements that we need
    int send_tag = 0;
    int receive_tag = 0;
};

/// The exchange with a few neighbours that an iteration over a distributed grid needs: its edges
/// travel while the interior is computed. It owns the requests, made once and used again.
///
///     lapwing::Halo halo(transport, edges);
///     for (...) halo.exchange([&] { compute_interior(); }, [&](std::size_t edge) { ... });
///
/// Collective over neighbours: both sides of an edge must exchange equally often. It ends before
/// its transport and its edges' memory.
template <Transport T, class Element, class Recorder = const NoTrace>
class Halo {
  public:
    /// `poll_interval`: of `lapwing::poll()` inside the interior, in seconds, as a plan names it; 0
    /// where messages advance by themselves. `recorder`: a `Trace`, or nothing. Throws
    /// `std::invalid_argument` where two edges to one neighbour have the same tag.
    Halo(T& transport, const std::vector<Edge<Element>>& edges, double poll_interval = 0,
         Recorder& recorder = no_trace)
        : transport_(transport),
          poll_interval_(poll_interval),
          recorder_(recorder),
          incoming_(ordered(edges, &Edge<Element>::receive_tag)),
          outgoing_(ordered(edges, &Edge<Element>::send_tag)),
          receives_(incoming_.size()),
          sends_(outgoing_.size()),
          arrivals_(incoming_.size()) {
        std::iota(arrivals_.begin(), arrivals_.end(), std::size_t{0});
        for (std::size_t place = 0; place < edges.size(); ++place)
            if (edges[place].peer < 0) absent_.push_back(place);
    }
    Halo(const Halo&) = delete;
    Halo& operator=(const Halo&) = delete;

    /// Initiates all edges, calls `interior()`, and returns when all have arrived and left.
    /// Nothing is copied: until then neither what is sent nor what is received may be touched.
    ///
    /// `border(edge)`, with the place of the edge among those given, is called for each edge as
    /// soon as it has arrived, in no certain order, for those without a neighbour too; `border()`
    /// once, when all have.
    template <class Interior, class Border>
    void exchange(Interior&& interior, Border&& border) {
        exchange([](std::size_t) {}, interior, border);
    }
    /// The exchange where the border needs no computation of its own.
    template <class Interior>
    void exchange(Interior&& interior) {
        exchange([](std::size_t) {}, interior, [] {});
    }
    /// `pack(edge)` fills the memory that an edge sends, right before it is sent: while the second
    /// is packed the first is under way. `border(edge)` is the place to unpack.
    template <class Pack, class Interior, class Border>
    void exchange(Pack&& pack, Interior&& interior, Border&& border) {
        try {
            initiate(pack);
            const Poller poller(
                poll_interval_, [](void* halo) { static_cast<Halo*>(halo)->progress(); }, this);
            {
                const Traced traced(recorder_, Activity::computation);
                interior();
            }
            complete(border);
        } catch (...) {
            failure::report("halo, exchange " + std::to_string(exchanges_));
            throw;
        }
        ++exchanges_;
    }

  private:
    using Request = typename T::Request;
    using Tag = int Edge<Element>::*;

    /// An edge with a neighbour, and its place among those given.
    struct Placed : Edge<Element> {
        std::size_t place = 0;
    };

    /// In the order of their tags, so that transports without tags, whose messages meet in the
    /// order of their initiation, bring each to its place.
    [[nodiscard]] static std::vector<Placed> ordered(const std::vector<Edge<Element>>& edges,
                                                     Tag tag) {
        std::vector<Placed> order;
        for (std::size_t place = 0; place < edges.size(); ++place)
            if (edges[place].peer >= 0) order.push_back({edges[place], place});
        std::sort(order.begin(), order.end(), [&](const Placed& a, const Placed& b) {
            return std::pair(a.*tag, a.peer) < std::pair(b.*tag, b.peer);
        });
        for (std::size_t i = 1; i < order.size(); ++i)
            if (order[i - 1].peer == order[i].peer && order[i - 1].*tag == order[i].*tag)
                throw std::invalid_argument("halo: two edges with rank " +
                                            std::to_string(order[i].peer) + " have the same tag " +
                                            std::to_string(order[i].*tag));
        return order;
    }

    /// Makes a request where an old one was: none is moved.
    template <class Initiate>
    void launch(Request* request, Initiate&& initiate) {
        std::destroy_at(request);
        try {
            const Traced traced(recorder_, Activity::initiation);
            ::new (static_cast<void*>(request)) Request(initiate());
        } catch (...) {
            ::new (static_cast<void*>(request)) Request();
            throw;
        }
    }
    template <class Pack>
    void initiate(Pack& pack) {
        waiting_ = incoming_.size();
        T& transport = transport_;
        Request* request = receives_.data();
        for (const Placed& e : incoming_)
            launch(request++, [&] {
                return transport.receive(e.receive.data(), e.receive.size_bytes(), e.peer,
                                         e.receive_tag);
            });
        request = sends_.data();
        for (const Placed& e : outgoing_) {
            pack(e.place);
            launch(request++, [&] {
                return transport.send(e.send.data(), e.send.size_bytes(), e.peer, e.send_tag);
            });
        }
    }
    template <class Border>
    void complete(Border& border) {
        if constexpr (std::is_invocable_v<Border&, std::size_t>) {
            const auto consume = [&](std::size_t place) {
                const Traced traced(recorder_, Activity::consumption);
                border(place);
            };
            for (const std::size_t place : absent_) consume(place);
            const Placed* const incoming = incoming_.data();
            const std::size_t* const arrivals = arrivals_.data();
            for (std::size_t left = incoming_.size(); left > 0; --left) {
                while (waiting_ == left) await_one();
                consume(incoming[arrivals[left - 1]].place);
            }
            wait(sends_);
        } else {
            wait(receives_);
            wait(sends_);
            const Traced traced(recorder_, Activity::consumption);
            border();
        }
    }
    void wait(std::vector<Request>& requests) {
        for (Request& request : requests) {
            const Traced traced(recorder_, Activity::wait);
            request.wait();
        }
    }
    /// Called by `poll()`. Who asks for one message lets all progress.
    void progress() {
        const Traced traced(recorder_, Activity::poll);
        while (waiting_ > 0)
            if (!test(waiting_ - 1)) return;
        for (Request& request : sends_)
            if (!request.test()) return;
    }
    bool test(std::size_t at) {
        if (!receives_[arrivals_[at]].test()) return false;
        arrived(at);
        return true;
    }
    void arrived(std::size_t at) {
        if (at != --waiting_) std::swap(arrivals_[at], arrivals_[waiting_]);
    }
    /// Returns when at least one more edge has arrived, or does so when called again and again.
    void await_one() {
        const Traced traced(recorder_, Activity::wait);
        if constexpr (requires { Request::wait_any(std::span<Request>()); }) {
            const std::size_t which = Request::wait_any(receives_);
            const auto found = std::find(arrivals_.begin(), arrivals_.end(), which);
            arrived(static_cast<std::size_t>(found - arrivals_.begin()));
        } else {
            for (std::size_t at = waiting_; at > 0; --at) test(at - 1);
        }
    }

    T& transport_;
    double poll_interval_;
    Recorder& recorder_;
    std::uint64_t exchanges_ = 0;
    std::vector<Placed> incoming_;
    std::vector<Placed> outgoing_;
    std::vector<Request> receives_;      ///< of `incoming_`
    std::vector<Request> sends_;         ///< of `outgoing_`
    std::vector<std::size_t> absent_;    ///< places of the edges without a neighbour
    std::vector<std::size_t> arrivals_;  ///< of `receives_`: those under way, then the others
    std::size_t waiting_ = 0;            ///< how many are under way
};

}  // namespace lapwing

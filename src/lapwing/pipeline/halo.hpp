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
/// travel while the interior is computed. It owns the requests: what repeats is said to the
/// transport once, see `Repeated`.
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
        : poll_interval_(poll_interval),
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

    /// Places of the edges with a neighbour in the order of their tags, so that transports without
    /// tags, whose messages meet in the order of their initiation, bring each to its place.
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
        for (std::size_t i = 0, count = waiting_; i < count; ++i) start(receives_, i);
        for (std::size_t i = 0, count = outgoing_.size(); i < count; ++i) {
            pack(outgoing_[i]);
            start(sends_, i);
        }
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
    }
    /// Called by `poll()`. Who asks for one message lets all progress.
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
    /// Returns when at least one more edge has arrived, or does so when called again and again.
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

    double poll_interval_;
    Recorder& recorder_;
    std::uint64_t exchanges_ = 0;
    bool interrupted_ = false;           ///< the last exchange, by an exception
    std::vector<std::size_t> incoming_;  ///< places of the edges with a neighbour
    std::vector<std::size_t> outgoing_;
    std::vector<std::size_t> absent_;    ///< and of those without
    Repeated<T> receives_;               ///< of `incoming_`
    Repeated<T> sends_;                  ///< of `outgoing_`
    std::vector<std::size_t> arrivals_;  ///< of `receives_`: those under way, then the others
    std::size_t waiting_ = 0;            ///< how many are under way
    std::size_t leaving_ = 0;            ///< of `sends_`, the first ones: not known to have left
};

}  // namespace lapwing

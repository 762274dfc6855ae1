#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <numeric>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lapwing/pipeline/edge.hpp"
#include "lapwing/pipeline/trace/trace.hpp"
#include "lapwing/pipeline/window/poll.hpp"
#include "lapwing/plan/plan_types.hpp"
#include "lapwing/transport/failure/on_failure.hpp"
#include "lapwing/transport/repeated.hpp"
#include "lapwing/transport/streams.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// Exchanges a few edges with neighbours, again and again, as an iteration over a distributed grid
/// does: the edges travel while the interior is computed.
///
///     lapwing::Halo halo(transport, plan, sides);
///     for (...) halo.exchange([&] { compute_interior(); }, [&](std::size_t side) { ... });
///
/// Collective over neighbours: both sides of an edge exchange equally often, by the same plan. The
/// transport and the edges' memory outlive it. The transport is told once what repeats, see
/// `Repeated`.
template <Transport T, class Element, class Recorder = const NoTrace>
class Halo {
  public:
    /// By a plan for `Pattern::halo`, which has all messages in flight at once. Each side's
    /// elements are cut in the proportions of its messages. The plan says how often to poll.
    /// `recorder`: a `Trace`, or nothing.
    Halo(T& transport, const Plan& plan, const std::vector<Side<Element>>& sides,
         Recorder& recorder = no_trace)
        : Halo(transport, plan.messages, std::vector<Edges>{edges_at(sides)}, plan.poll_interval,
               recorder) {}
    /// The same for a grid in two buffers, of which a step reads one and fills the other. Exchanges
    /// use the sides of the first buffer and those of the second by turns. Throws
    /// `std::invalid_argument` where these differ in more than their memory.
    Halo(T& transport, const Plan& plan, const std::array<std::vector<Side<Element>>, 2>& buffers,
         Recorder& recorder = no_trace)
        : Halo(transport, plan.messages,
               std::vector<Edges>{edges_at(buffers[0]), edges_at(buffers[1])}, plan.poll_interval,
               recorder) {}
    /// Without a plan: an edge is a message. `poll_interval`: seconds between the polls of
    /// `lapwing::poll()` inside the interior, 0 where messages advance by themselves. Throws
    /// `std::invalid_argument` where two edges to one neighbour have the same tag.
    Halo(T& transport, const std::vector<Edge<Element>>& edges, double poll_interval = 0,
         Recorder& recorder = no_trace)
        : Halo(transport, Messages(), std::vector<Edges>{edges}, poll_interval, recorder) {}
    Halo(const Halo&) = delete;
    Halo& operator=(const Halo&) = delete;

    /// Initiates all edges, calls `interior()`, and returns when all edges have arrived and left.
    /// Nothing is copied: until then the edges' memory is in use.
    ///
    /// `border(edge)` is called for each edge as soon as it has arrived, in no certain order. Edges
    /// without a neighbour have a call, too. `edge` is its index among those given. A `border()`
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
    /// The same for packed edges. `pack(edge)` fills the memory of an edge right before its first
    /// message, so the first edge is under way during the packing of the second. `border(edge)` is
    /// the place to unpack.
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
    using Edges = std::vector<Edge<Element>>;
    using Tag = int Edge<Element>::*;

    /// The messages of all edges, in one of the memories that exchanges use by turns.
    struct Buffer {
        explicit Buffer(T& transport) : receives(transport), sends(transport) {}
        std::vector<std::span<Element>> incoming;
        std::vector<std::span<const Element>> outgoing;
        Repeated<T> receives;
        Repeated<T> sends;
    };

    Halo(T& transport, const Messages& messages, const std::vector<Edges>& buffers,
         double poll_interval, Recorder& recorder)
        : transport_(transport),
          edges_(buffers.front()),
          poll_interval_(poll_interval),
          recorder_(recorder),
          messages_of_(edges_.size(), 0) {
        const auto by_receive_tag = ordered(edges_, &Edge<Element>::receive_tag);
        const auto by_send_tag = ordered(edges_, &Edge<Element>::send_tag);
        for (const Edges& edges : buffers) {
            require_same_shape(edges);
            buffers_.emplace_back(transport);
            incoming_.clear();
            outgoing_.clear();
            message_by_message(
                edges, by_receive_tag, &Edge<Element>::receive, messages,
                [&](std::size_t edge, std::span<Element> part) { add_receive(edge, part); });
            message_by_message(
                edges, by_send_tag, &Edge<Element>::send, messages,
                [&](std::size_t edge, std::span<const Element> part) { add_send(edge, part); });
        }
        for (const std::size_t edge : incoming_) ++messages_of_[edge];
        edges_sent_ = std::set(outgoing_.begin(), outgoing_.end()).size();
        arrivals_.resize(incoming_.size());
        std::iota(arrivals_.begin(), arrivals_.end(), std::size_t{0});
    }

    /// Indices of the edges with a neighbour, ordered by their tags. Transports without tags, whose
    /// messages meet in the order of initiation, then bring each to its place.
    [[nodiscard]] static std::vector<std::size_t> ordered(const Edges& edges, Tag tag) {
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
    void require_same_shape(const Edges& edges) const {
        const auto same = [](const Edge<Element>& a, const Edge<Element>& b) {
            return a.peer == b.peer && a.send.size() == b.send.size() &&
                   a.receive.size() == b.receive.size();
        };
        if (!std::equal(edges.begin(), edges.end(), edges_.begin(), edges_.end(), same))
            throw std::invalid_argument("halo: the sides of its two buffers differ");
    }
    /// Calls `add(edge, part)` for each message: for the first ones of all edges, then the second
    /// ones. Those of an edge have one tag, and arrive in the order in which they are sent.
    template <class Memory, class Add>
    static void message_by_message(const Edges& edges, const std::vector<std::size_t>& order,
                                   Memory Edge<Element>::*memory, const Messages& messages,
                                   Add&& add) {
        std::vector<std::vector<Memory>> parts;
        std::size_t most = 0;
        for (const std::size_t edge : order) {
            parts.push_back(parts_of_edge(edges[edge].*memory, messages));
            most = std::max(most, parts.back().size());
        }
        for (std::size_t message = 0; message < most; ++message)
            for (std::size_t i = 0; i < order.size(); ++i)
                if (message < parts[i].size()) add(order[i], parts[i][message]);
    }
    void add_receive(std::size_t edge, std::span<Element> part) {
        buffers_.back().receives.add_receive(part.data(), part.size_bytes(), edges_[edge].peer,
                                             edges_[edge].receive_tag);
        buffers_.back().incoming.push_back(part);
        incoming_.push_back(edge);
    }
    void add_send(std::size_t edge, std::span<const Element> part) {
        buffers_.back().sends.add_send(part.data(), part.size_bytes(), edges_[edge].peer,
                                       edges_[edge].send_tag);
        buffers_.back().outgoing.push_back(part);
        outgoing_.push_back(edge);
    }

    template <class Pack>
    void initiate(Pack& pack) {
        now_ = &buffers_[exchanges_ % buffers_.size()];
        waiting_ = incoming_.size();
        leaving_ = outgoing_.size();
        if constexpr (OffersStreams<T>) return offer_and_initiate(pack);
        for (std::size_t i = 0, count = waiting_; i < count; ++i) start(now_->receives, i);
        for (std::size_t i = 0, count = outgoing_.size(); i < count; ++i) {
            if (begins_edge(i)) pack(outgoing_[i]);
            start(now_->sends, i);
        }
    }
    /// The memory of one-sided edges is offered anew in each exchange, when it is free. Who moves
    /// data waits for the offers of the others: then it travels while the interior is computed. No
    /// offer is behind data: all are made, and expected, before the first data leaves.
    template <class Pack>
    void offer_and_initiate(Pack& pack) {
        for (std::size_t i = 0; i < incoming_.size(); ++i)
            streams_.incoming(transport_, std::as_writable_bytes(now_->incoming[i]),
                              edges_[incoming_[i]].peer);
        for (std::size_t i = 0; i < outgoing_.size(); ++i) {
            if (begins_edge(i)) pack(outgoing_[i]);
            streams_.outgoing(transport_, std::as_bytes(now_->outgoing[i]),
                              edges_[outgoing_[i]].peer, StreamData::complete);
        }
        for (std::size_t i = 0; i < outgoing_.size(); ++i) start(now_->sends, i);
        for (std::size_t i = 0; i < incoming_.size(); ++i) start(now_->receives, i);
    }
    /// Whether outgoing message `i` is the first one of its edge: all those come before any other.
    [[nodiscard]] bool begins_edge(std::size_t i) const { return i < edges_sent_; }
    void start(Repeated<T>& messages, std::size_t which) {
        const Traced traced(recorder_, Activity::initiation);
        messages.start(which);
    }
    template <class Border>
    void complete(Border& border) {
        if constexpr (std::is_invocable_v<Border&, std::size_t>) {
            missing_ = messages_of_;
            for (std::size_t edge = 0; edge < edges_.size(); ++edge)
                if (missing_[edge] == 0) consume(border, edge);
            const std::size_t* const incoming = incoming_.data();
            const std::size_t* const arrivals = arrivals_.data();
            for (std::size_t left = incoming_.size(); left > 0; --left) {
                while (waiting_ == left) await_one();
                const std::size_t edge = incoming[arrivals[left - 1]];
                if (--missing_[edge] == 0) consume(border, edge);
            }
            wait(now_->sends);
            streams_.close();
        } else {
            wait_for_all();
            const Traced traced(recorder_, Activity::consumption);
            border();
        }
    }
    template <class Border>
    void consume(Border& border, std::size_t edge) {
        const Traced traced(recorder_, Activity::consumption);
        border(edge);
    }
    void wait(Repeated<T>& messages) {
        const Traced traced(recorder_, Activity::wait);
        messages.wait_all();
    }
    void wait_for_all() {
        wait(now_->receives);
        wait(now_->sends);
        streams_.close();
    }
    /// Called by `poll()`. A test of one message lets all of them progress.
    void progress() {
        const Traced traced(recorder_, Activity::poll);
        while (waiting_ > 0)
            if (!test(waiting_ - 1)) return;
        for (; leaving_ > 0; --leaving_)
            if (!now_->sends.test(leaving_ - 1)) return;
    }
    bool test(std::size_t at) {
        if (!now_->receives.test(arrivals_[at])) return false;
        arrived(at);
        return true;
    }
    void arrived(std::size_t at) {
        if (at != --waiting_) std::swap(arrivals_[at], arrivals_[waiting_]);
    }
    /// Waits for one more message; over transports that cannot wait for any of several, looks once.
    void await_one() {
        const Traced traced(recorder_, Activity::wait);
        if constexpr (requires { now_->receives.wait_any(); }) {
            const std::size_t which = now_->receives.wait_any();
            const auto found = std::find(arrivals_.begin(), arrivals_.end(), which);
            arrived(static_cast<std::size_t>(found - arrivals_.begin()));
        } else {
            for (std::size_t at = waiting_; at > 0; --at) test(at - 1);
        }
    }

    T& transport_;
    Edges edges_;
    [[no_unique_address]] OpenStreams<T> streams_;
    double poll_interval_;
    Recorder& recorder_;
    std::uint64_t exchanges_ = 0;
    bool interrupted_ = false;              ///< an exception ended the last exchange
    std::vector<std::size_t> messages_of_;  ///< how many arrive at each edge; 0: no neighbour
    std::vector<std::size_t> missing_;      ///< how many of them are missing in this exchange
    std::size_t edges_sent_ = 0;            ///< how many are sent
    std::vector<std::size_t> incoming_;     ///< the edge of each message, by receive tag
    std::vector<std::size_t> outgoing_;     ///< the same of what is sent, by send tag
    std::deque<Buffer> buffers_;
    Buffer* now_ = nullptr;              ///< the buffer of this exchange
    std::vector<std::size_t> arrivals_;  ///< indices of `receives`: those under way come first
    std::size_t waiting_ = 0;            ///< receives under way
    std::size_t leaving_ = 0;            ///< sends, from the first, not known to be complete
};

}  // namespace lapwing

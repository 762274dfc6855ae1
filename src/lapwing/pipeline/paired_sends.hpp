#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lapwing/pipeline/peer_sequence.hpp"
#include "lapwing/transport/streams.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// A transport for ranks that all receive and send. Right after each receive, a rank sends the
/// messages that other ranks receive in the same place of their sequence. So a rank sends as far
/// ahead as it receives, and nobody waits for a message that nobody has initiated.
///
/// All ranks receive messages of the same sizes, in the same order of places.
template <Transport T>
class PairedSends {
  public:
    /// A message that is received. A test of it lets the sends progress, too. Without tests a long
    /// message stands still, and so does the rank that waits for it.
    class Request {
      public:
        Request() = default;
        Request(PairedSends& all, typename T::Request receive)
            : all_(&all), receive_(std::move(receive)) {}
        void wait() { receive_.wait(); }
        bool test() {
            received_ = received_ || receive_.test();
            return received_ && all_->all_sent();
        }

      private:
        PairedSends* all_ = nullptr;
        typename T::Request receive_;
        bool received_ = false;
    };

    /// `out`: what this rank sends, `bytes_each` to each of the ranks in `sequence.to`, in their
    /// order; `when`: it is there. The transport and `out` outlive this. Throws
    /// `std::invalid_argument` where the sequence has not as many places to send in as to receive
    /// in.
    PairedSends(T& transport, const PeerSequence& sequence, const std::byte* out,
                std::uint64_t bytes_each, StreamData when = StreamData::complete)
        : transport_(transport), from_(sequence.from) {
        for (const std::vector<int>& ranks : sequence.to) {
            std::vector<Outgoing>& place = outgoing_.emplace_back();
            for (const int rank : ranks) {
                place.push_back({out, rank});
                streams_.outgoing(transport, {out, bytes_each}, rank, when);
                out += bytes_each;
            }
        }
        if (outgoing_.size() != from_.size())
            throw std::invalid_argument("exchange: as many places to send in as to receive in");
    }
    PairedSends(const PairedSends&) = delete;
    PairedSends& operator=(const PairedSends&) = delete;

    Request receive(void* into, std::size_t bytes, int peer, int tag) {
        Request request(*this, transport_.receive(into, bytes, peer, tag));
        for (Outgoing& part : outgoing_[place_of(peer)]) {
            sends_.push_back(transport_.send(part.next, bytes, part.rank, tag));
            part.next += bytes;
        }
        return request;
    }
    /// A message outside of the sequence, sent by the transport as it is.
    Request send(const void* from, std::size_t bytes, int peer, int tag) {
        return {*this, transport_.send(from, bytes, peer, tag)};
    }
    [[nodiscard]] double now() const { return transport_.now(); }
    [[nodiscard]] auto outgoing(std::span<const std::byte> data, int peer,
                                StreamData when) requires OffersStreams<T> {
        return transport_.outgoing(data, peer, when);
    }
    [[nodiscard]] auto incoming(std::span<std::byte> data, int peer) requires OffersStreams<T> {
        return transport_.incoming(data, peer);
    }

    /// Returns when all that was sent has left.
    void finish() {
        for (auto& request : sends_) request.wait();
        sends_.clear();
        streams_.close();
    }

  private:
    /// What is still to be sent to one rank.
    struct Outgoing {
        const std::byte* next;
        int rank;
    };

    /// Whether all sends are complete. They are tested in order.
    bool all_sent() {
        while (!sends_.empty() && sends_.front().test()) sends_.pop_front();
        return sends_.empty();
    }
    /// The place of a peer in the sequence. Messages come from one peer after another, or from each
    /// in turn: it is the same place again, or the next one.
    std::size_t place_of(int peer) {
        for (std::size_t tries = 0; tries < from_.size(); ++tries) {
            if (from_[place_] == peer) return place_;
            place_ = (place_ + 1) % from_.size();
        }
        throw std::invalid_argument("exchange: a rank that is not in the sequence");
    }

    T& transport_;
    [[no_unique_address]] OpenStreams<T> streams_;
    std::vector<int> from_;
    std::vector<std::vector<Outgoing>> outgoing_;  ///< by place
    std::size_t place_ = 0;
    std::deque<typename T::Request> sends_;
};

}  // namespace lapwing

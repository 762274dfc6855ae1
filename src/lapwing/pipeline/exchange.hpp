#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lapwing/pipeline/multi.hpp"
#include "lapwing/pipeline/peer_sequence.hpp"
#include "lapwing/pipeline/trace/trace.hpp"
#include "lapwing/plan/plan.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// A transport for ranks that all receive and send at once: each receive initiates, behind itself,
/// the sends of those messages that other ranks receive in the same place of their order. So a rank
/// gives as far ahead as it takes, and none waits for a message that nobody has initiated.
///
/// All ranks receive messages of the same sizes in the same order of places.
template <Transport T>
class PairedSends {
  public:
    /// A message that is received. Who asks for it lets all that was sent progress too: a long one
    /// that nobody asks for stands still, and so does the rank that waits for it.
    class Request {
      public:
        Request() = default;
        Request(PairedSends& both, typename T::Request receive)
            : both_(&both), receive_(std::move(receive)) {}
        void wait() { receive_.wait(); }
        bool test() {
            received_ = received_ || receive_.test();
            return received_ && both_->all_left();
        }

      private:
        PairedSends* both_ = nullptr;
        typename T::Request receive_;
        bool received_ = false;
    };

    /// `out`: what this rank gives, `bytes_each` to each of those that `sequence` names, in its
    /// order. All outlive this.
    PairedSends(T& transport, const PeerSequence& sequence, const std::byte* out,
                std::uint64_t bytes_each)
        : transport_(transport), from_(sequence.from) {
        for (const std::vector<int>& ranks : sequence.to) {
            std::vector<Part>& parts = parts_.emplace_back();
            for (const int rank : ranks) {
                parts.push_back({out, rank});
                out += bytes_each;
            }
        }
        if (parts_.size() != from_.size())
            throw std::invalid_argument("exchange: as many places to send in as to receive in");
    }
    PairedSends(const PairedSends&) = delete;
    PairedSends& operator=(const PairedSends&) = delete;

    Request receive(void* into, std::size_t bytes, int peer, int tag) {
        Request request(*this, transport_.receive(into, bytes, peer, tag));
        for (Part& part : parts_[place_of(peer)]) {
            sends_.push_back(transport_.send(part.next, bytes, part.rank, tag));
            part.next += bytes;
        }
        return request;
    }
    /// What is not in the order goes as it would without this.
    Request send(const void* from, std::size_t bytes, int peer, int tag) {
        return {*this, transport_.send(from, bytes, peer, tag)};
    }
    [[nodiscard]] double now() const { return transport_.now(); }

    /// Returns when all that was sent has left.
    void finish() {
        for (auto& request : sends_) request.wait();
        sends_.clear();
    }

  private:
    /// What one rank gets.
    struct Part {
        const std::byte* next;
        int rank;
    };

    /// Whether nothing that was sent is under way any more. It is asked for in order.
    bool all_left() {
        while (!sends_.empty() && sends_.front().test()) sends_.pop_front();
        return sends_.empty();
    }
    /// Messages come from a peer one after another, or from each in turn: it is this place again,
    /// or the next one.
    std::size_t place_of(int peer) {
        for (std::size_t tries = 0; tries < from_.size(); ++tries) {
            if (from_[place_] == peer) return place_;
            place_ = (place_ + 1) % from_.size();
        }
        throw std::invalid_argument("exchange: a rank that is not in the sequence");
    }

    T& transport_;
    std::vector<int> from_;
    std::vector<std::vector<Part>> parts_;  ///< by place
    std::size_t place_ = 0;
    std::deque<typename T::Request> sends_;
};

/// A rank's side of a two-way exchange with several others, such as an all-to-all.
template <Transport T, class Element>
struct Parties {
    T& transport;
    PeerSequence sequence;
    std::span<const Element> out;  ///< as much for each, in the order of `sequence.to`
    std::span<Element> in;         ///< room for as much from each, in the order of `sequence.from`
    PeerOrder order = PeerOrder::contiguous;
};

template <Transport T, class Element>
Parties(T&, PeerSequence, std::span<const Element>, std::span<Element>) -> Parties<T, Element>;
template <Transport T, class Element>
Parties(T&, PeerSequence, std::span<const Element>, std::span<Element>, PeerOrder)
    -> Parties<T, Element>;

/// Exchanges with all parties, messages cut as `plan` says and its window over all that are
/// received, and calls `consume(piece)` with a `PeerPiece` for each that has arrived, while the
/// next ones travel. Returns when all that was given has left too. All ranks call it, with the same
/// messages and window. `recorder`: a `Trace`, or nothing.
/// Throws `std::invalid_argument` where the plan is for another volume or cuts through elements.
///
///     lapwing::Parties parties{transport, lapwing::alltoall_sequence(rank, ranks, true), out, in};
///     lapwing::exchange<double>(parties, plan, [&](auto piece) { use(piece.peer, piece.data); });
template <class Element, Transport T, std::invocable<PeerPiece<Element>> Consume,
          Records Recorder = const NoTrace>
void exchange(const Parties<T, Element>& parties, const Plan& plan, Consume&& consume,
              Recorder& recorder = no_trace) {
    PairedSends<T> both(parties.transport, parties.sequence,
                        reinterpret_cast<const std::byte*>(parties.out.data()),
                        plan.messages.volume());
    const Sources sources{both, parties.sequence.from, parties.in, parties.order};
    multi<Element>(sources, plan, consume, recorder);
    both.finish();
}

}  // namespace lapwing

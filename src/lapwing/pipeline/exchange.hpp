#pragma once

#include <concepts>
#include <cstddef>
#include <span>

#include "lapwing/pipeline/multi.hpp"
#include "lapwing/pipeline/paired_sends.hpp"
#include "lapwing/pipeline/peer_sequence.hpp"
#include "lapwing/pipeline/trace/trace.hpp"
#include "lapwing/plan/plan.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// A rank's side of a two-way exchange with several others, such as an all-to-all.
template <Transport T, class Element>
struct Parties {
    T& transport;
    PeerSequence sequence;
    std::span<const Element> out;  ///< what each gets, all as much, in the order of `sequence.to`
    std::span<Element> in;  ///< room for what each sends, all as much, as `sequence.from` has them
    PeerOrder order = PeerOrder::contiguous;
};

template <Transport T, class Element>
Parties(T&, PeerSequence, std::span<const Element>, std::span<Element>) -> Parties<T, Element>;
template <Transport T, class Element>
Parties(T&, PeerSequence, std::span<const Element>, std::span<Element>, PeerOrder)
    -> Parties<T, Element>;

/// Exchanges data with all parties, and calls `consume(piece)`, with a `PeerPiece`, for each
/// message that has arrived while the next ones travel. Returns when all that this rank sends has
/// left, too. All ranks call it, with the same messages and window.
///
/// The plan's volume is what one party gets; its window is over all messages that are received.
/// `recorder`: a `Trace`, or nothing. Throws `std::invalid_argument` where the plan is for another
/// volume or cuts through elements.
///
///     lapwing::Parties parties{transport, lapwing::alltoall_sequence(rank, ranks, true), out, in};
///     lapwing::exchange<double>(parties, plan, [&](auto piece) { use(piece.peer, piece.data); });
template <class Element, Transport T, std::invocable<PeerPiece<Element>> Consume,
          Records Recorder = const NoTrace>
void exchange(const Parties<T, Element>& parties, const Plan& plan, Consume&& consume,
              Recorder& recorder = no_trace) {
    PairedSends<T> both_ways(parties.transport, parties.sequence,
                             reinterpret_cast<const std::byte*>(parties.out.data()),
                             plan.messages.volume());
    const Sources sources{both_ways, parties.sequence.from, parties.in, parties.order};
    multi<Element>(sources, plan, consume, recorder);
    both_ways.finish();
}

}  // namespace lapwing

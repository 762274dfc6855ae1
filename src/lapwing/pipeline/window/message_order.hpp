#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "lapwing/plan/messages.hpp"

namespace lapwing {

/// Which messages a rank receives, one after another: what `Arrivals` and `run_schedule` work
/// through.
///
///     done()              whether all have been initiated
///     destination()       where the next one goes: `data` and `bytes`, and what else is its own
///     peer(), index()     whom it comes from, and which message of that stream it is, from 0
///     messages()          how the stream of each peer is cut
///     next()              goes on to the message after it
///     for_each_stream(f)  calls f(data, peer): where all messages of a peer go to
///     piece(destination)  what the user sees of a message that has arrived
///     where(destination)  the same for an error message; of no bytes: all of the messages
template <class O>
concept MessageOrder = requires(O order, const O& same,
                                const typename O::Destination& destination) {
    typename O::Piece;
    { same.done() } -> std::same_as<bool>;
    { same.destination() } -> std::same_as<typename O::Destination>;
    { same.peer() } -> std::same_as<int>;
    { same.index() } -> std::same_as<std::uint64_t>;
    { same.messages() } -> std::same_as<const Messages&>;
    order.next();
    same.for_each_stream([](std::span<std::byte>, int) {});
    { same.piece(destination) } -> std::same_as<typename O::Piece>;
    { same.where(destination) } -> std::same_as<std::string>;
};

}  // namespace lapwing

#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <string>

namespace lapwing {

/// Which messages a rank receives, one after another: what `Arrivals` and `run_schedule` work
/// through.
///
///     done()              whether all have been initiated
///     destination()       where the next one goes: `data` and `bytes`, and what else is its own
///     peer(), tag()       whom it comes from, and with which tag
///     first()             whether it is the first of its peer's stream
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
    { same.tag() } -> std::same_as<int>;
    { same.first() } -> std::same_as<bool>;
    order.next();
    same.for_each_stream([](std::span<std::byte>, int) {});
    { same.piece(destination) } -> std::same_as<typename O::Piece>;
    { same.where(destination) } -> std::same_as<std::string>;
};

}  // namespace lapwing

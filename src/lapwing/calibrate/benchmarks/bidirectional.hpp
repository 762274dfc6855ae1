#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "lapwing/calibrate/ranks/pair_messages.hpp"
#include "lapwing/calibrate/sampling/time_share.hpp"
#include "lapwing/pipeline/window/message_window.hpp"

namespace lapwing {

/// Messages between two ranks, and who sends them.
struct TransferDirections {
    std::uint64_t size = 0;  ///< bytes of a message
    std::uint64_t count = 1;
    int window = 1;     ///< messages in flight each way
    bool there = true;  ///< rank 0 sends
    bool back = true;   ///< rank 1 sends
};

/// Seconds from a common start until both ranks have all that was sent, on rank 0. Each posts a
/// message's receive before it sends its own.
template <Transport T>
double transfer(TransportPair<T>& pair, Buffers& buffers, const TransferDirections& ways) {
    T& transport = pair.transport();
    const bool sends = pair.first() ? ways.there : ways.back;
    const bool receives = pair.first() ? ways.back : ways.there;
    PairMessages messages(pair, buffers, ways.size);
    const double start = pair.start_together();
    {
        MessageWindow<typename T::Request> incoming(ways.window, 0);
        MessageWindow<typename T::Request> outgoing(ways.window, 0);
        for (std::uint64_t i = 0; i < ways.count; ++i) {
            if (sends) outgoing.make_room();
            if (receives) {
                incoming.make_room();
                incoming.push(messages.receive(i));
            }
            if (sends) outgoing.push(messages.send(i));
        }
        outgoing.drain();
        incoming.drain();
    }
    const double seconds = transport.now() - start;
    return std::max(seconds, pair.from_second(seconds));
}

/// Messages one way, and both ways at once.
struct Bidirectional {
    Estimate one_way;  ///< seconds, of the slower of the two ways
    /// Both ways at once over that, the times taken in turn: 1 where the two ways keep out of each
    /// other's way, 2 where they take turns.
    Estimate slowdown;

    [[nodiscard]] double both() const { return slowdown.median * one_way.median; }  ///< seconds
};

/// Measures how much two ranks that both send slow each other down; `there` and `back` of `ways` do
/// not count. The result is rank 0's.
template <Transport T>
Bidirectional measure_bidirectional(TimeShare<T>& section, const std::string& what,
                                    Buffers& buffers, TransferDirections ways) {
    TransportPair<T>& pair = section.pair();
    const auto take = [&](bool there, bool back) {
        ways.there = there;
        ways.back = back;
        return transfer(pair, buffers, ways);
    };
    std::vector<double> slower;
    Bidirectional result;
    result.slowdown = section.measure(what, [&] {
        const double there = take(true, false);
        slower.push_back(std::max(there, take(false, true)));
        return take(true, true) / slower.back();
    });
    result.one_way = estimate(slower);
    return result;
}

}  // namespace lapwing

#pragma once

#include <cstdint>

#include "lapwing/calibrate/benchmarks/overlap_kernels.hpp"
#include "lapwing/calibrate/ranks/pair_messages.hpp"
#include "lapwing/calibrate/ranks/rank_pair.hpp"
#include "lapwing/pipeline/window/message_window.hpp"

namespace lapwing {

/// Which way messages go while rank 0 computes, as rank 0 sees it. Where they go both ways rank 1
/// computes as much.
enum class TrafficDirection { sending, receiving, both };

/// Seconds per byte by which messages under way prolong rank 0's computation, calls not counted:
/// what the system takes of its processor for them (O of LogGOPS). `count` messages of `size` bytes
/// each way, `window` in flight, `work` after each started, polled between its blocks; compared
/// with the same computation alone just before. The result is rank 0's.
template <Transport T>
double progress_steal_per_byte(TransportPair<T>& pair, Buffers& buffers, TrafficDirection direction,
                               std::uint64_t size, std::uint64_t count, int window,
                               Computation& work) {
    T& transport = pair.transport();
    const bool both = direction == TrafficDirection::both;
    const bool sends = both || pair.first() == (direction == TrafficDirection::sending);
    const bool receives = both || !sends;
    const bool computes = both || pair.first();
    PairMessages messages(pair, buffers, size);

    const double alone = computes ? seconds_alone(transport, work, count) : 0;
    pair.start_together();
    using Request = typename T::Request;
    MessageWindow<Request> arriving(window, 0);
    MessageWindow<Request> leaving(window, 0);
    double calls = 0;
    const auto call = [&](auto&& what) { timed(transport, calls, what); };
    const double start = transport.now();
    for (std::uint64_t i = 0; i < count; ++i) {
        call([&] {
            if (receives) {
                arriving.make_room();
                arriving.push(messages.receive(i));
            }
            if (sends) {
                leaving.make_room();
                leaving.push(messages.send(i));
            }
        });
        if (computes)
            work.run([&] {
                call([&] {
                    arriving.progress();
                    leaving.progress();
                });
            });
    }
    const double together = transport.now() - start;
    arriving.drain();
    leaving.drain();
    return (together - calls - alone) / static_cast<double>(count * size);
}

}  // namespace lapwing

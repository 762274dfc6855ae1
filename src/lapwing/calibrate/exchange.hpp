#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/calibrate/pair.hpp"
#include "lapwing/pipeline/tag.hpp"

namespace lapwing {

/// Buffers that the measurements send from and receive into: as large as the largest of them.
struct Buffers {
    std::vector<std::byte> out;
    std::vector<std::byte> in;
    explicit Buffers(std::size_t bytes) : out(bytes, std::byte{1}), in(bytes) {}
};

/// Half the round trip of `size` bytes, seconds: o_s + L + G S + o_r.
template <Transport T>
double half_round_trip(Pair<T>& pair, Buffers& buffers, std::uint64_t size) {
    T& transport = pair.transport();
    // Both receives are posted before the first message moves.
    auto incoming = transport.receive(buffers.in.data(), size, pair.peer(), 0);
    pair.meet();
    if (!pair.first()) {
        incoming.wait();
        transport.send(buffers.out.data(), size, pair.peer(), 0).wait();
        return 0;
    }
    const double start = transport.now();
    auto outgoing = transport.send(buffers.out.data(), size, pair.peer(), 0);
    incoming.wait();
    const double end = transport.now();
    outgoing.wait();
    return (end - start) / 2;
}

/// Seconds from the first initiation to the last arrival of `count` messages of `size` bytes from
/// rank 1 to rank 0, or both ways at once. Messages lie behind each other as far as the buffers go.
template <Transport T>
double flood(Pair<T>& pair, Buffers& buffers, std::uint64_t size, std::uint64_t count,
             bool both_ways = false) {
    T& transport = pair.transport();
    const std::uint64_t places = std::max<std::uint64_t>(1, buffers.in.size() / size);
    std::vector<typename T::Request> incoming;
    std::vector<typename T::Request> outgoing;
    incoming.reserve(count);
    outgoing.reserve(count);
    if (pair.first() || both_ways) {
        for (std::uint64_t i = 0; i < count; ++i)
            incoming.push_back(transport.receive(buffers.in.data() + i % places * size, size,
                                                 pair.peer(), message_tag(i)));
    }
    const double start = pair.start_together();
    if (!pair.first() || both_ways) {
        for (std::uint64_t i = 0; i < count; ++i)
            outgoing.push_back(transport.send(buffers.out.data() + i % places * size, size,
                                              pair.peer(), message_tag(i)));
    }
    for (auto& request : incoming) request.wait();
    const double end = transport.now();
    for (auto& request : outgoing) request.wait();
    return end - start;
}

/// Seconds a message of a flood of `count >= 2` takes, without what the first one takes longer: a
/// flood less a single message.
template <Transport T>
double flood_gap(Pair<T>& pair, Buffers& buffers, std::uint64_t size, std::uint64_t count,
                 bool both_ways = false) {
    const double all = flood(pair, buffers, size, count, both_ways);
    const double one = flood(pair, buffers, size, 1, both_ways);
    return (all - one) / static_cast<double>(count - 1);
}

/// Seconds each of `burst` sends of `size` bytes took to initiate, on rank 0; the receives are
/// posted. Divided by the burst its sum is o_s(S, b) (Iancu 2.1, burst average).
template <Transport T>
void initiation(Pair<T>& pair, Buffers& buffers, std::uint64_t size, std::vector<double>& times) {
    T& transport = pair.transport();
    const std::uint64_t burst = times.size();
    const std::uint64_t places = std::max<std::uint64_t>(1, buffers.in.size() / size);
    std::vector<typename T::Request> requests;
    requests.reserve(burst);
    if (!pair.first()) {
        for (std::uint64_t i = 0; i < burst; ++i)
            requests.push_back(transport.receive(buffers.in.data() + i % places * size, size,
                                                 pair.peer(), message_tag(i)));
    }
    pair.meet();
    if (pair.first()) {
        double before = transport.now();
        for (std::uint64_t i = 0; i < burst; ++i) {
            requests.push_back(transport.send(buffers.out.data() + i % places * size, size,
                                              pair.peer(), message_tag(i)));
            const double after = transport.now();
            times[i] = after - before;
            before = after;
        }
    }
    for (auto& request : requests) request.wait();
    pair.meet();
}

}  // namespace lapwing

#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"
#include "lapwing/transport/streams.hpp"

namespace lapwing::test {

/// Bytes that `check_streams` takes of a transport's memory.
inline constexpr std::size_t streams_memory = 300'000;

/// Rank `rank`'s byte at `at` in round `round`.
inline std::byte stream_byte(int rank, int round, std::size_t at) {
    return static_cast<std::byte>((at / 1000 * 7 + static_cast<std::size_t>(rank + 100 * round)) %
                                  251);
}

/// Two streams from each rank to the next, the second with messages that are announced one by one,
/// and one of no bytes. What lies outside of a stream is offered by itself,
/// with the same tags. In each other round a rank tests its messages instead of waiting for them.
template <class T>
void check_streams(T& transport) {
    constexpr std::size_t bytes = 40'000;
    constexpr std::size_t message = 10'000;
    constexpr int first_tag = 5;
    const int next = (transport.rank() + 1) % transport.size();
    const int before = (transport.rank() + transport.size() - 1) % transport.size();
    auto from = transport.memory(3 * bytes);
    auto into = transport.memory(3 * bytes);
    const std::span<std::byte> out(from.data(), from.size());
    const std::span<std::byte> in(into.data(), into.size());
    for (int round = 0; round < 4; ++round) {
        std::fill(in.begin(), in.end(), std::byte{255});
        for (std::size_t i = 0; i < bytes; ++i) out[i] = stream_byte(transport.rank(), round, i);
        auto empty_in = transport.incoming(in.subspan(bytes, 0), before);
        auto empty_out = transport.outgoing(out.subspan(bytes, 0), next, StreamData::complete);
        auto first_in = transport.incoming(in.first(bytes), before);
        auto first_out = transport.outgoing(out.first(bytes), next, StreamData::complete);
        auto second_in = transport.incoming(in.subspan(bytes, bytes), before);
        auto second_out =
            transport.outgoing(out.subspan(bytes, bytes), next, StreamData::announced);
        std::vector<typename T::Request> requests;
        for (std::size_t at = 0; at < 3 * bytes; at += message)
            requests.push_back(transport.receive(in.data() + at, message, before,
                                                 first_tag + static_cast<int>(at / message)));
        for (std::size_t at = 0; at < 3 * bytes; at += message) {
            for (std::size_t i = std::max(at, bytes); i < at + message; ++i)
                out[i] = stream_byte(transport.rank(), round, i);
            requests.push_back(transport.send(out.data() + at, message, next,
                                              first_tag + static_cast<int>(at / message)));
        }
        for (auto& request : requests) {
            while (round % 2 == 1 && !request.test()) {
            }
            request.wait();
        }
        for (std::size_t i = 0; i < 3 * bytes; ++i) CHECK(in[i] == stream_byte(before, round, i));
        for (auto* stream : {&empty_in, &first_in, &second_in}) stream->end();
    }
}

/// Many rounds of several streams between two ranks, both ways at once, in which the receiver
/// comes late: more of them than a transport has slots for offers.
template <class T>
void check_many_streams(T& transport) {
    constexpr std::size_t bytes = 6'400;
    constexpr std::size_t message = 800;
    constexpr int rounds = 300;
    auto from = transport.memory(bytes);
    auto into = transport.memory(bytes);
    if (transport.rank() > 1) return;
    const int peer = 1 - transport.rank();
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < bytes; ++i)
            from.data()[i] = stream_byte(transport.rank(), round, i * 100);
        OpenStreams<T> streams;
        for (std::size_t at = 0; at < bytes; at += 2 * message) {
            streams.incoming(transport, {into.data() + at, 2 * message}, peer);
            streams.outgoing(transport, {from.data() + at, 2 * message}, peer,
                             at % 3 == 0 ? StreamData::complete : StreamData::announced);
        }
        std::vector<typename T::Request> sends;
        for (std::size_t at = 0; at < bytes; at += message)
            sends.push_back(transport.send(from.data() + at, message, peer, 0));
        for (std::size_t at = 0; at < bytes; at += message) {
            transport.receive(into.data() + at, message, peer, 0).wait();
            CHECK(into.data()[at] == stream_byte(peer, round, at * 100));
            CHECK(into.data()[at + message - 1] ==
                  stream_byte(peer, round, (at + message - 1) * 100));
        }
        for (auto& send : sends) send.wait();
    }
}

/// Three streams each way between two ranks out of memory that they share, as the two sides of a
/// narrow halo do, and messages without bytes.
template <class T>
void check_shared_memory(T& transport) {
    constexpr std::size_t bytes = 800;
    auto from = transport.memory(2 * bytes);
    auto into = transport.memory(3 * bytes);
    if (transport.rank() > 1) return;
    const int peer = 1 - transport.rank();
    for (std::size_t i = 0; i < 2 * bytes; ++i)
        from.data()[i] = stream_byte(transport.rank(), 0, i * 100);
    const std::size_t begins[] = {0, bytes / 2, bytes / 2};
    OpenStreams<T> streams;
    for (std::size_t i = 0; i < 3; ++i) {
        streams.incoming(transport, {into.data() + i * bytes, bytes}, peer);
        streams.outgoing(transport, {from.data() + begins[i], bytes}, peer, StreamData::announced);
    }
    std::vector<typename T::Request> requests;
    for (std::size_t i = 0; i < 3; ++i) {
        const int tag = static_cast<int>(i);
        requests.push_back(transport.receive(into.data() + i * bytes, 0, peer, tag));
        requests.push_back(transport.send(from.data() + begins[i], 0, peer, tag));
        requests.push_back(transport.receive(into.data() + i * bytes, bytes, peer, tag));
        requests.push_back(transport.send(from.data() + begins[i], bytes, peer, tag));
    }
    for (auto& request : requests) request.wait();
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t at = 0; at < bytes; ++at)
            CHECK(into.data()[i * bytes + at] == stream_byte(peer, 0, (begins[i] + at) * 100));
}

/// Streams of two ranks that are not as long as each other. `receiver_owns`: whose memory is
/// offered.
template <class T>
void check_unequal_streams(T& transport, bool receiver_owns, const std::string& said) {
    auto memory = transport.memory(200);
    const int owner = receiver_owns ? 0 : 1;
    const std::span<std::byte> data(memory.data(),
                                    transport.rank() == owner ? std::size_t{100} : 200);
    if (transport.rank() == 0) {
        const auto stream = transport.incoming(data, 1);
        if (!receiver_owns)
            check_throws<std::runtime_error>(
                [&] { (void)transport.receive(data.data() + 90, 20, 1, 0); }, said);
    } else if (transport.rank() == 1) {
        const auto stream = transport.outgoing(data, 0, StreamData::complete);
        if (receiver_owns)
            check_throws<std::runtime_error>(
                [&] { (void)transport.send(data.data() + 90, 20, 0, 0); }, said);
    }
}

}  // namespace lapwing::test

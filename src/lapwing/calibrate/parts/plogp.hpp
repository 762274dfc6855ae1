#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/calibrate/ranks/pair_messages.hpp"
#include "lapwing/calibrate/ranks/rank_pair.hpp"
#include "lapwing/calibrate/sampling/campaign.hpp"
#include "lapwing/calibrate/sampling/status.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// What a train of messages took its sender, seconds.
struct BlockingTrain {
    double first = 0;  ///< the first send, until its buffer may be used again: os(m)
    double total = 0;  ///< from the first send until the answer has arrived
};

/// A train of `count` messages of `size` bytes from rank 0, each sent when the one before it has
/// been, which rank 1 answers with one byte when it has them all. The receives are posted. Of one
/// message of one byte it is a round trip. The result is rank 0's.
template <Transport T>
BlockingTrain train(TransportPair<T>& pair, Buffers& buffers, std::uint64_t size,
                    std::uint64_t count) {
    constexpr int answer_tag = 32766;
    T& transport = pair.transport();
    PairMessages messages(pair, buffers, size);
    if (!pair.first()) {
        std::vector<typename T::Request> incoming;
        incoming.reserve(count);
        for (std::uint64_t i = 0; i < count; ++i) incoming.push_back(messages.receive(i));
        pair.barrier();
        for (auto& request : incoming) request.wait();
        transport.send(buffers.out.data(), 1, pair.peer(), answer_tag).wait();
        return {};
    }
    auto answer = transport.receive(buffers.in.data(), 1, pair.peer(), answer_tag);
    pair.barrier();
    BlockingTrain result;
    const double start = transport.now();
    for (std::uint64_t i = 0; i < count; ++i) {
        messages.send(i).wait();
        if (i == 0) result.first = transport.now() - start;
    }
    answer.wait();
    result.total = transport.now() - start;
    return result;
}

/// or(m): seconds rank 0 spends on receiving a message of `size` bytes that has already arrived,
/// `patience` seconds after it was sent. Where a message moves only while its receiver calls the
/// transport, that is the transfer, as LogMPI finds it too.
template <Transport T>
double receive_arrived(TransportPair<T>& pair, Buffers& buffers, std::uint64_t size,
                       double patience) {
    T& transport = pair.transport();
    PairMessages messages(pair, buffers, size);
    if (!pair.first()) {
        pair.barrier();
        messages.send(0).wait();
        return 0;
    }
    const double start = transport.now();
    auto request = messages.receive(0);
    const double posted = transport.now();
    pair.barrier();
    wait_until(transport.now() + patience);
    const double back = transport.now();
    request.wait();
    return posted - start + transport.now() - back;
}

/// Measures parameterised LogP as LogMPI does (Kielmann 2000; March 3.1), for messages of one byte
/// and up to `largest`: os(m) is a blocking send, or(m) the receipt of a message that is there
/// already, g'(m) what each message adds to a train of them, and L' half a round trip less g'(1),
/// for RTT(1) = 2 (L' + g'(1)). A message that keeps the wire busy for longer than `longest`
/// seconds ends the table. Rank 0 has the result in `profile.plogp`.
template <Transport T>
void measure_plogp(TransportPair<T>& pair, std::uint64_t largest, double longest,
                   const SamplingGoal& goal, NoiseCounts& noise, const StatusCallback& report,
                   Profile& profile) {
    constexpr std::uint64_t most = 64;  // messages in a train
    constexpr std::uint64_t smallest_large = 1024;
    Buffers buffers(std::max<std::uint64_t>(4 * largest, 1));
    PLogP result;
    std::vector<double> patience;
    std::vector<std::uint64_t> counts;
    // A first round opens connections and tells how long each message takes. A moment's disturbance
    // must not end the table.
    constexpr int tries = simulated_time ? 1 : 7;
    for (std::uint64_t size = 1; size <= largest; size *= size < smallest_large ? 4 : 2) {
        double once = train(pair, buffers, size, 1).total;
        for (int i = 1; i < tries; ++i) once = std::min(once, train(pair, buffers, size, 1).total);
        once = pair.from_first(once);
        if (size > 1 && once > longest) break;
        result.sizes.push_back(size);
        patience.push_back(1.5 * once + 20e-6);
        counts.push_back(
            static_cast<std::uint64_t>(std::clamp(longest / once, 4.0, static_cast<double>(most))));
    }

    const std::size_t n = result.sizes.size();
    std::vector<Series> trains(n);
    std::vector<Series> ones(n);
    std::vector<Series> sends(n, Series(pair.clock_speed()));
    std::vector<Series> waits(n);  // the same sends, as time that the wire takes
    std::vector<Series> receives(n, Series(pair.clock_speed()));
    Campaign<T> campaign(pair, goal, goal.budget, noise, report);
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint64_t size = result.sizes[i];
        const int times = simulated_time ? 1 : 3;
        campaign.add("pLogP", {&trains[i], &ones[i], &sends[i], &waits[i], &receives[i]},
                     [&, i, size] {
                         for (int k = 0; k < times; ++k) {
                             trains[i].add(train(pair, buffers, size, counts[i]).total);
                             const auto [first, total] = train(pair, buffers, size, 1);
                             ones[i].add(total);
                             sends[i].add(first);
                             waits[i].add(first);
                             receives[i].add(receive_arrived(pair, buffers, size, patience[i]));
                         }
                     });
    }
    campaign.run();
    if (!pair.first()) return;
    for (std::size_t i = 0; i < n; ++i) {
        const double more = trains[i].median() - ones[i].median();
        result.gap.push_back(std::max(0.0, more / static_cast<double>(counts[i] - 1)));
        result.receive.push_back(receives[i].median());
    }
    const double G = result.gap.back() / static_cast<double>(result.sizes.back());
    for (std::size_t i = 0; i < n; ++i) {
        // A send that takes as long as the wire waits for the wire, not for the processor.
        const double wait = waits[i].median();
        const bool waited = wait > 0.5 * G * static_cast<double>(result.sizes[i]);
        result.send.push_back(waited && i > 0 ? wait : sends[i].median());
    }
    result.L = std::max(0.0, ones.front().median() / 2 - result.gap.front());
    profile.plogp = std::move(result);
}

}  // namespace lapwing

#pragma once

#include <cstdint>
#include <vector>

#include "lapwing/calibrate/ranks/pair_messages.hpp"
#include "lapwing/compute/chain.hpp"
#include "lapwing/transport/operation.hpp"

namespace lapwing {

/// Seconds that a train of messages took rank 0.
struct PacketTrain {
    /// Until the last message was initiated, computation in between included. Of blocking sends:
    /// until the first one's buffer could be used again: os(m).
    double initiation = 0;
    /// Until all data was known to have arrived.
    double total = 0;
};

/// Initiates `count` operations of `bytes` bytes one after the other, then waits for all of them.
/// Unless `work` is null, it is done after each, and `more` times after the last. Begins and ends
/// with both ranks ready. The result is rank 0's.
template <Operation O>
PacketTrain run_train(RankPair& pair, O& operation, std::uint64_t bytes, std::uint64_t count,
                      const Chain* work = nullptr, std::uint64_t more = 0) {
    std::vector<typename O::Request> requests;
    requests.reserve(count);
    operation.prepare(count, bytes);
    pair.barrier();
    PacketTrain took;
    if (pair.first()) {
        const double start = pair.now();
        for (std::uint64_t i = 0; i < count; ++i) {
            requests.push_back(operation.start(i, bytes));
            if (work != nullptr) work->run();
        }
        took.initiation = pair.now() - start;
        for (std::uint64_t i = 0; i < more && work != nullptr; ++i) work->run();
        for (auto& request : requests) request.wait();
        operation.finish();
        took.total = pair.now() - start;
    } else {
        operation.attend(count, bytes);
    }
    pair.barrier();
    return took;
}

/// Sends `count` messages of `size` bytes from rank 0, one after another. Rank 1, which has posted
/// the receives, answers with one byte when it has them all. With one message of one byte it is a
/// round trip. The result is rank 0's.
PacketTrain run_blocking_train(TwoSidedPair& pair, Buffers& buffers, std::uint64_t size,
                               std::uint64_t count);

}  // namespace lapwing

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "lapwing/calibrate/ranks/pair_messages.hpp"
#include "lapwing/calibrate/ranks/two_sided_pair.hpp"
#include "lapwing/compute/vector_add.hpp"

namespace lapwing {

/// A computation of known length, made of blocks between which a transport can be polled.
class Computation {
  public:
    /// No computation at all.
    Computation() : elements_(0), add_(0, 1) {}
    /// `seconds`: its length. `pass`: as `VectorAdd` takes it.
    Computation(double seconds, double pass);

    /// Computes, and calls `poll()` after each block.
    void run(const std::function<void()>& poll);

    static constexpr double block_seconds = 20e-6;  ///< between two polls, about

  private:
    std::size_t elements_;
    std::vector<double> a_;
    std::vector<double> b_;
    VectorAdd add_;
};

/// Seconds that messages and the computation between them took.
struct OverlapTimes {
    double total = 0;
    double computation = 0;  ///< the computation in it, timed alone
    double calls = 0;        ///< in calls to the transport, without the wait for the first message
};

/// Messages between two ranks, and what is computed after each of them.
struct OverlapLoad {
    std::uint64_t size = 0;   ///< bytes of a message
    std::uint64_t count = 0;  ///< messages, of each rank that sends
    int window = 1;           ///< messages in flight
    bool polled = false;      ///< whether messages are tested between blocks of the computation
    /// Of a stream: no message is sent earlier after another than this allows, seconds per byte.
    double pace = 0;
};

/// Seconds that `computation` takes `count` times while no messages are under way.
double seconds_alone(RankPair& pair, Computation& computation, std::uint64_t count);

/// Streams messages to rank 0, which runs `computation` after each. The result is rank 0's.
OverlapTimes stream_while_computing(TwoSidedPair& pair, Buffers& buffers, const OverlapLoad& load,
                                    Computation& computation);

/// Exchanges messages between two ranks that both run `computation` after each message they
/// receive, as `exchange` does: `window` receives are posted, at least 2, together with the sends
/// that belong to them, and half of them are initiated when as many have been worked on (template
/// E). If a rank initiated each as soon as one has come, one more would be under way during the
/// computation. Over TCP all would then take up to a tenth longer. The result is rank 0's: the
/// times of the slower rank.
OverlapTimes exchange_while_computing(TwoSidedPair& pair, Buffers& buffers, const OverlapLoad& load,
                                      Computation& computation);

/// The same, but all messages are initiated before the ranks compute and awaited after that, as
/// `halo` does.
OverlapTimes exchange_around_computation(TwoSidedPair& pair, Buffers& buffers,
                                         const OverlapLoad& load, Computation& computation);

}  // namespace lapwing

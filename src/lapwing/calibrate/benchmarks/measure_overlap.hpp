#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "lapwing/calibrate/benchmarks/overlap_kernels.hpp"
#include "lapwing/calibrate/benchmarks/overlap_share.hpp"
#include "lapwing/calibrate/ranks/pair_messages.hpp"
#include "lapwing/calibrate/sampling/time_share.hpp"
#include "lapwing/transport/operation.hpp"

namespace lapwing {

/// Messages, and how they progress while a rank computes.
struct MessageLoad {
    std::uint64_t size = 0;  ///< bytes of a message
    std::uint64_t count = 1;
    ProgressMode use = progress_modes.front();
};

/// What is computed after each message of a load.
class PolledComputation {
  public:
    /// `seconds`: its length, about. `pass`: as `VectorAdd` takes it.
    PolledComputation(double seconds, double pass, bool polled)
        : computation_(seconds, pass),
          between_polls_(blocks_between_polls(seconds, Computation::block_seconds)),
          polled_(polled) {}

    /// Computes, and calls `progress()` now and then if it is polled.
    void run(const std::function<void()>& progress);
    /// Seconds between two polls, about.
    [[nodiscard]] double poll_interval() const {
        return static_cast<double>(between_polls_) * Computation::block_seconds;
    }

  private:
    Computation computation_;
    std::uint64_t between_polls_;
    bool polled_;
};

/// Seconds from a common start until all bytes have arrived. Rank 0 initiates and, unless
/// `computation` is null, computes after each initiation; rank 1 does nothing but its side of the
/// operation.
template <Operation O>
double initiator_computes(RankPair& pair, O& operation, const MessageLoad& load,
                          PolledComputation* computation) {
    operation.prepare(load.count, load.size);
    const double start = pair.start_together();
    if (!pair.first()) {
        operation.attend(load.count, load.size);
        return 0;
    }
    compute_meanwhile(
        load.use.window, load.count,
        [&](std::uint64_t index) { return operation.start(index, load.size); },
        [&](auto&& progress) {
            if (computation != nullptr) computation->run(progress);
        });
    operation.finish();
    return pair.now() - start;
}

/// Seconds from a common start until rank 0 has received all messages. Unless `computation` is null
/// it computes after it has posted each receive; rank 1 does nothing but send, as many at a time.
double receiver_computes(TwoSidedPair& pair, Buffers& buffers, const MessageLoad& load,
                         PolledComputation* computation);

/// Measures what rank 0's computation hides of the communication if there is about as much of it,
/// as one quantity of `time_share`, which `what` names. `run(computation)` runs the messages of
/// `load` with `computation` after each, or with none if it is null, and returns the seconds on
/// rank 0. `pass`: as `VectorAdd` takes it. The result is rank 0's.
OverlapShare measure_overlap(TimeShare& time_share, const std::string& what,
                             const MessageLoad& load, double pass,
                             const std::function<double(PolledComputation*)>& run);

}  // namespace lapwing

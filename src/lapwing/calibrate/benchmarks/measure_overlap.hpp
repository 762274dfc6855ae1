#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lapwing/calibrate/benchmarks/overlap_kernels.hpp"
#include "lapwing/calibrate/benchmarks/overlap_share.hpp"
#include "lapwing/calibrate/ranks/pair_messages.hpp"
#include "lapwing/calibrate/sampling/time_share.hpp"
#include "lapwing/transport/operation.hpp"

namespace lapwing {

/// Messages of `size` bytes, and one way to use them.
struct MessageLoad {
    std::uint64_t size = 0;
    std::uint64_t count = 1;
    ProgressMode use = progress_modes.front();
};

/// What is computed after each message of a load.
class PolledComputation {
  public:
    /// `seconds` long, about; `pass` as `VectorAdd` takes it.
    PolledComputation(double seconds, double pass, bool polled)
        : work_(seconds, pass),
          between_polls_(blocks_between_polls(seconds, Computation::block_seconds)),
          polled_(polled) {}

    template <class Progress>
    void run(Progress&& progress) {
        std::uint64_t blocks = 0;
        work_.run([&] {
            if (polled_ && ++blocks % between_polls_ == 0) progress();
        });
    }
    /// Seconds between two polls, about.
    [[nodiscard]] double poll_interval() const {
        return static_cast<double>(between_polls_) * Computation::block_seconds;
    }

  private:
    Computation work_;
    std::uint64_t between_polls_;
    bool polled_;
};

/// Seconds from a common start until all bytes have arrived, rank 0 initiating and, if there is
/// a `step`, computing after each initiation. Rank 1 attends to nothing else.
template <Transport T, Operation O>
double initiator_computes(TransportPair<T>& pair, O& operation, const MessageLoad& load,
                          PolledComputation* step) {
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
            if (step != nullptr) step->run(progress);
        });
    operation.finish();
    return pair.transport().now() - start;
}

/// Seconds from a common start until rank 0 has received all messages, computing after it has
/// posted each receive if there is a `step`. Rank 1 attends to nothing but sending, as many at a
/// time.
template <Transport T>
double receiver_computes(TransportPair<T>& pair, Buffers& buffers, const MessageLoad& load,
                         PolledComputation* step) {
    PairMessages messages(pair, buffers, load.size);
    const auto receive = [&](std::uint64_t i) { return messages.receive(i); };
    const auto send = [&](std::uint64_t i) { return messages.send(i); };
    const double start = pair.start_together();
    if (pair.first()) {
        compute_meanwhile(load.use.window, load.count, receive, [&](auto&& progress) {
            if (step != nullptr) step->run(progress);
        });
    } else {
        compute_meanwhile(load.use.window, load.count, send, [](auto&&) {});
    }
    return pair.transport().now() - start;
}

/// Measures what rank 0's computation hides, about as much of it as there is communication.
/// `run(step)` runs the messages of `load` with `step` after each, or with none where it is null,
/// and returns the seconds on rank 0. `pass` as `VectorAdd` takes it. The result is rank 0's.
template <Transport T>
OverlapShare measure_overlap(TimeShare<T>& section, const std::string& what,
                             const MessageLoad& load, double pass,
                             const std::function<double(PolledComputation*)>& run) {
    TransportPair<T>& pair = section.pair();
    std::vector<double> rough(simulated_time ? 1 : 3);
    for (double& seconds : rough) seconds = run(nullptr);
    const double each = pair.from_first(median(rough)) / static_cast<double>(load.count);
    PolledComputation step(each, pass, load.use.polled);

    std::vector<double> communication;
    std::vector<double> computation;
    OverlapShare hidden;
    hidden.together = section.measure(what, [&] {
        communication.push_back(run(nullptr));
        const double start = pair.start_together();
        for (std::uint64_t i = 0; i < load.count && pair.first(); ++i) step.run([] {});
        computation.push_back(pair.transport().now() - start);
        const double alone = communication.back() + computation.back();
        return run(&step) / alone;
    });
    hidden.communication = estimate(communication);
    hidden.computation = estimate(computation);
    hidden.poll_interval = load.use.polled ? step.poll_interval() : 0;
    return hidden;
}

}  // namespace lapwing

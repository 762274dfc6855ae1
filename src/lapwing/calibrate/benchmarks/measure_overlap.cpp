#include "lapwing/calibrate/benchmarks/measure_overlap.hpp"

#include <vector>

#include "lapwing/calibrate/statistics/estimate.hpp"

namespace lapwing {

void PolledComputation::run(const std::function<void()>& progress) {
    std::uint64_t blocks = 0;
    computation_.run([&] {
        if (polled_ && ++blocks % between_polls_ == 0) progress();
    });
}

double receiver_computes(TwoSidedPair& pair, Buffers& buffers, const MessageLoad& load,
                         PolledComputation* computation) {
    PairMessages messages(pair, buffers, load.size);
    const auto receive = [&](std::uint64_t i) { return messages.receive(i); };
    const auto send = [&](std::uint64_t i) { return messages.send(i); };
    const double start = pair.start_together();
    if (pair.first()) {
        compute_meanwhile(load.use.window, load.count, receive, [&](auto&& progress) {
            if (computation != nullptr) computation->run(progress);
        });
    } else {
        compute_meanwhile(load.use.window, load.count, send, [](auto&&) {});
    }
    return pair.now() - start;
}

OverlapShare measure_overlap(TimeShare& time_share, const std::string& what,
                             const MessageLoad& load, double pass,
                             const std::function<double(PolledComputation*)>& run) {
    RankPair& pair = time_share.pair();
    std::vector<double> rough(simulated_time ? 1 : 3);
    for (double& seconds : rough) seconds = run(nullptr);
    const double each = pair.from_first(median(rough)) / static_cast<double>(load.count);
    PolledComputation step(each, pass, load.use.polled);

    std::vector<double> communication;
    std::vector<double> computation;
    OverlapShare result;
    result.together = time_share.measure(what, [&] {
        communication.push_back(run(nullptr));
        const double start = pair.start_together();
        for (std::uint64_t i = 0; i < load.count && pair.first(); ++i) step.run([] {});
        computation.push_back(pair.now() - start);
        const double alone = communication.back() + computation.back();
        return run(&step) / alone;
    });
    result.communication = estimate(communication);
    result.computation = estimate(computation);
    result.poll_interval = load.use.polled ? step.poll_interval() : 0;
    return result;
}

}  // namespace lapwing

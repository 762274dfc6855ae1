#include "lapwing/calibrate/benchmarks/progress_steal.hpp"

#include "lapwing/pipeline/window/message_window.hpp"

namespace lapwing {

double progress_steal_per_byte(TwoSidedPair& pair, Buffers& buffers, TrafficDirection direction,
                               const OverlapLoad& load, Computation& computation) {
    const bool both = direction == TrafficDirection::both;
    const bool sends = both || pair.first() == (direction == TrafficDirection::sending);
    const bool receives = both || !sends;
    const bool computes = both || pair.first();
    PairMessages messages(pair, buffers, load.size);

    const double alone = computes ? seconds_alone(pair, computation, load.count) : 0;
    pair.start_together();
    MessageWindow<TwoSided::Request> arriving(load.window, 0);
    MessageWindow<TwoSided::Request> leaving(load.window, 0);
    double calls = 0;
    const auto call = [&](auto&& what) {
        const double before = pair.now();
        what();
        calls += pair.now() - before;
    };
    const double start = pair.now();
    for (std::uint64_t i = 0; i < load.count; ++i) {
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
            computation.run([&] {
                call([&] {
                    arriving.progress();
                    leaving.progress();
                });
            });
    }
    const double together = pair.now() - start;
    arriving.drain();
    leaving.drain();
    return (together - calls - alone) / static_cast<double>(load.count * load.size);
}

}  // namespace lapwing

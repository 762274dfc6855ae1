#include "lapwing/replay/replay.hpp"

#include <algorithm>
#include <cstdint>

#include "lapwing/replay/recorded_calls.hpp"
#include "lapwing/simulate/simulate.hpp"

namespace lapwing::replay {
namespace {

double seconds(std::uint64_t nanoseconds) { return 1e-9 * static_cast<double>(nanoseconds); }

template <class Machine>
Replayed replay_on(const record::Recording& recording, const Machine& machine,
                   const Options& options, simulate::Observer* observer) {
    RecordedCalls calls(recording, CollectiveAlgorithms(options.library, options.algorithms),
                        options.computation);
    Replayed replayed{.result = simulate::simulate(calls, machine, observer)};
    for (Rank rank = 0; rank < calls.ranks(); ++rank) {
        const auto recorded = calls.recorded(rank);
        replayed.recorded += seconds(recorded.seconds);
        replayed.computed += seconds(recorded.computed);
        replayed.longest = std::max(replayed.longest, seconds(recorded.seconds));
    }
    return replayed;
}

}  // namespace

Replayed replay(const record::Recording& recording, const simulate::MeasuredMachine& machine,
                const Options& options, simulate::Observer* observer) {
    return replay_on(recording, machine, options, observer);
}
Replayed replay(const record::Recording& recording, const simulate::LogGOPS& machine,
                const Options& options, simulate::Observer* observer) {
    return replay_on(recording, machine, options, observer);
}

}  // namespace lapwing::replay

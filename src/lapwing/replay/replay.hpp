#pragma once

#include <optional>

#include "lapwing/record/recording.hpp"
#include "lapwing/replay/extrapolate/grown_grid.hpp"
#include "lapwing/replay/options.hpp"
#include "lapwing/simulate/costs/loggops.hpp"
#include "lapwing/simulate/costs/measured_machine.hpp"
#include "lapwing/simulate/engine/observer.hpp"
#include "lapwing/simulate/engine/result.hpp"
#include "lapwing/simulate/program/graph.hpp"

namespace lapwing::replay {

/// What came of it.
struct Replayed {
    simulate::Result result;
    /// Seconds, of all recorded ranks together: as it was recorded, and for how long they computed
    /// then.
    double recorded = 0;
    double computed = 0;
    /// Seconds for which all ranks together compute when it is played.
    double computes = 0;
    /// Seconds of the rank that took longest when it was recorded.
    double longest = 0;
    /// With more ranks than were recorded: the grid that they are, and the recorded one.
    std::optional<GrownGrid> grid{};
};

/// Plays a recorded program on a machine. Throws `std::invalid_argument` for options that are not
/// known or for more ranks than the recording tells of, `simulate::Deadlock` if the program cannot
/// end there, and `record::BadRecord` for a record that cannot be read. The last two name the rank
/// and the record.
[[nodiscard]] Replayed replay(const record::Recording& recording,
                              const simulate::MeasuredMachine& machine, const Options& options,
                              simulate::Observer* observer = nullptr);
[[nodiscard]] Replayed replay(const record::Recording& recording, const simulate::LogGOPS& machine,
                              const Options& options, simulate::Observer* observer = nullptr);

/// Plays a schedule that is written out: of `options`, `computation` alone has a meaning for it.
/// What came of it tells how long the schedule computes; nothing was recorded.
[[nodiscard]] Replayed replay(const simulate::Graph& graph,
                              const simulate::MeasuredMachine& machine, const Options& options,
                              simulate::Observer* observer = nullptr);
[[nodiscard]] Replayed replay(const simulate::Graph& graph, const simulate::LogGOPS& machine,
                              const Options& options, simulate::Observer* observer = nullptr);

}  // namespace lapwing::replay

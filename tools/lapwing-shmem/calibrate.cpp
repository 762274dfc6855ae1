#include "calibrate.hpp"

#include "lapwing/calibrate/calibrate.hpp"
#include "lapwing/calibrate/parts/operations.hpp"
#include "lapwing/calibrate/ranks/quiet_barrier.hpp"
#include "lapwing/io/file.hpp"
#include "lapwing/transport/shmem/operations.hpp"
#include "lapwing/transport/shmem/symmetric_memory.hpp"
#include "operations_json.hpp"
#include "support/command.hpp"
#include "support/run_description.hpp"

namespace lapwing::tools {

void ShmemCalibrateCommand::run() const {
    const auto choice = quick_ ? OperationOptions::quick() : OperationOptions{};
    CalibrationSettings settings;
    settings.quick = quick_;
    SamplingGoal goal{.accuracy = accuracy_ > 0 ? accuracy_ : settings.accuracy(), .least = 6};

    // Two halves, each with room for a few messages of the largest size.
    SymmetricMemory memory(8 * choice.sizes.back());
    with_pair({0, 1}, [&](auto& pair, MPI_Comm two) {
        const auto visit_all = [&](auto&& visit) { shmem::operations(two, memory, visit); };
        int ways = 0;
        visit_all([&](auto&) { ++ways; });
        Profile profile;
        NoiseCounts noise;
        goal.budget = ways * (quick_ ? 0.3 : 1.5);
        EnvironmentMonitor environment(pair);
        measure_operations({pair, environment, noise, goal, report_progress}, choice, visit_all,
                           profile);
        if (!pair.first()) return;
        add_warnings(profile, noise, goal);
        for (auto& warning : profile.warnings) warning.insert(0, "OpenSHMEM: ");
        report_progress(1, "done");
        write_file(output_, operations_json(profile));
    });
    quiet_barrier(MPI_COMM_WORLD);
}

}  // namespace lapwing::tools

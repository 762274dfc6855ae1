#include "calibrate.hpp"

#include "command.hpp"
#include "lapwing/calibrate/calibrate.hpp"
#include "lapwing/io/file.hpp"
#include "lapwing/io/profile_json.hpp"
#include "machine.hpp"

namespace lapwing::tools {

CalibrateCommand::CalibrateCommand(CLI::App& app)
    : command_(app.add_subcommand("calibrate", "measure ranks 0 and 1, write the profile")) {
    command_->add_option("--output", output_, "file for the profile")->required();
    command_->add_flag("--quick", quick_, "fewer sizes and bursts, less accuracy");
    command_->add_option("--accuracy", accuracy_, "relative error to reach, e.g. 0.02")
        ->check(CLI::Range(1e-4, 1.0));
}

void CalibrateCommand::run() const {
    auto options = quick_ ? CalibrationOptions::quick() : CalibrationOptions{};
    if (accuracy_ > 0) options.goal.accuracy = accuracy_;
    options.progress = report_progress;

    const MachineDescription machine;
    with_pair([&](auto& pair) {
        Calibration calibration(pair, options);
        Profile profile = calibration.run();
        if (!pair.first()) return;
        profile.machine = machine.fields();
        profile.warnings = machine.warnings();
        add_warnings(profile, calibration.disturbance(), options.goal);
        write_file(output_, to_json(profile));
    });
}

}  // namespace lapwing::tools

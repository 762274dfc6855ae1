// The options of the command. They need no OpenSHMEM, and CLI11 takes long to compile: this file is
// compiled together with the options of the MPI program.
#include <CLI/CLI.hpp>

#include "calibrate.hpp"

namespace lapwing::tools {

ShmemCalibrateCommand::ShmemCalibrateCommand(CLI::App& app)
    : command_(app.add_subcommand("calibrate", "measure OpenSHMEM between ranks 0 and 1")) {
    command_->add_option("--output", output_, "file for the operations")->required();
    command_->add_flag("--quick", quick_, "fewer sizes and bursts, less accuracy");
    command_->add_option("--accuracy", accuracy_, "relative error to reach, e.g. 0.02")
        ->check(CLI::Range(1e-4, 1.0));
}

bool ShmemCalibrateCommand::chosen() const { return command_->parsed(); }

}  // namespace lapwing::tools

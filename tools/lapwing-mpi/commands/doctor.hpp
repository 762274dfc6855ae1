#pragma once

#include <string>

#include "support/examination_options.hpp"

namespace CLI {
class App;
}

namespace lapwing::tools {

/// `lapwing-mpi doctor`: measures which share of the communication between ranks 0 and 1 is hidden
/// behind computation, for every way to move bytes, and records what may explain it. The `lapwing`
/// command draws the conclusions. `lapwing-shmem doctor` does so for OpenSHMEM: each program has a
/// `run` of its own.
class DoctorCommand {
  public:
    explicit DoctorCommand(CLI::App& app);
    [[nodiscard]] bool chosen() const;
    void run() const;

  private:
    CLI::App* command_;
    std::string output_;
    ExaminationOptions options_;
};

}  // namespace lapwing::tools

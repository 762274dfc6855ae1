#pragma once

#include <string>

namespace CLI {
class App;
}

namespace lapwing::tools {

/// `lapwing-shmem calibrate`: measures OpenSHMEM between ranks 0 and 1 and writes the operations of
/// a profile.
class ShmemCalibrateCommand {
  public:
    explicit ShmemCalibrateCommand(CLI::App& app);
    [[nodiscard]] bool chosen() const;
    void run() const;

  private:
    CLI::App* command_;
    std::string output_;
    bool quick_ = false;
    double accuracy_ = 0;
};

}  // namespace lapwing::tools

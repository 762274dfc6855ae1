#pragma once

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lapwing::tools {

/// `lapwing-mpi calibrate`: measures the ranks and writes a profile.
class CalibrateCommand {
  public:
    explicit CalibrateCommand(CLI::App& app);
    [[nodiscard]] bool chosen() const;
    void run() const;

  private:
    CLI::App* command_;
    std::string output_;
    bool quick_ = false;
    double accuracy_ = 0;
    std::vector<int> processes_;
    std::vector<std::string> pairs_;
    std::vector<std::string> only_;
    std::string sizes_of_;
    std::optional<double> wait_;
};

}  // namespace lapwing::tools

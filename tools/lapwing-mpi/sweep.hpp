#pragma once

#include <cstdint>
#include <string>

namespace CLI {
class App;
}

namespace lapwing::tools {

/// `lapwing-mpi sweep`: times a stream between ranks 0 and 1 in every way there is to cut it: the
/// blocking baseline, every uniform (S, b) of template E, the paper's plan and ours.
class SweepCommand {
  public:
    explicit SweepCommand(CLI::App& app);
    [[nodiscard]] bool chosen() const;
    void run() const;

  private:
    CLI::App* command_;
    std::string profile_;
    std::string output_;
    std::uint64_t volume_ = 0;
    double ratio_ = 1;
    double compute_ = -1;
    std::uint64_t grain_ = sizeof(double);
    int repetitions_ = 0;
    bool plan_only_ = false;
};

}  // namespace lapwing::tools

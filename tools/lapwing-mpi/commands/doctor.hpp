#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lapwing::tools {

/// `lapwing-mpi doctor`: measures between ranks 0 and 1 which share of the communication
/// computation hides, for every way to move bytes, and writes down what may explain it. Judges
/// nothing.
class DoctorCommand {
  public:
    explicit DoctorCommand(CLI::App& app);
    [[nodiscard]] bool chosen() const;
    void run() const;

  private:
    CLI::App* command_;
    std::string output_;
    std::vector<std::string> transports_;
    std::vector<std::uint64_t> sizes_ = {1 << 10, 32 << 10, 1 << 20, 4 << 20};
    double seconds_ = 20;
};

}  // namespace lapwing::tools

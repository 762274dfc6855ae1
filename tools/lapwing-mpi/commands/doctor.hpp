#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lapwing::tools {

/// `lapwing-mpi doctor`: measures which share of the communication between ranks 0 and 1 is hidden
/// behind computation, for every way to move bytes, and records what may explain it. The `lapwing`
/// command draws the conclusions.
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

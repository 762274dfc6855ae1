#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lapwing::tools {

/// `lapwing-mpi fft`: a forward transform in several ways, timed in turn.
class FftCommand {
  public:
    explicit FftCommand(CLI::App& app);
    [[nodiscard]] bool chosen() const;
    void run() const;

  private:
    CLI::App* command_;
    std::vector<std::size_t> size_;
    std::vector<std::string> ways_;
    std::string effort_ = "measure";
    std::string result_;
    int repetitions_ = 1;
    std::optional<double> poll_;
};

}  // namespace lapwing::tools

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lapwing::tools {

/// `lapwing-mpi validate`: times operations on all ranks, from a common start by the clock until
/// the last rank is done, each with the algorithm that MPI chooses or was told to take.
class ValidateCommand {
  public:
    explicit ValidateCommand(CLI::App& app);
    [[nodiscard]] bool chosen() const;
    void run() const;

  private:
    CLI::App* command_;
    std::vector<std::string> wanted_;
    std::optional<std::uint64_t> stride_;
    double accuracy_ = 0.02;
    double seconds_ = 0.5;
    double wait_ = 0;  ///< seconds in all, for the environment that is asked for
    std::vector<std::string> wanted_environment_;  ///< "NAME=SECONDS:TOLERANCE"
    std::string output_;
};

}  // namespace lapwing::tools

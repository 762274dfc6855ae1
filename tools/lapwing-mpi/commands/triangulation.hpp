#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace lapwing::triangulation {
struct Job;
}

namespace lapwing::tools {

/// `lapwing-mpi triangulation`: a distributed Delaunay triangulation.
class TriangulationCommand {
  public:
    explicit TriangulationCommand(CLI::App& app);
    [[nodiscard]] bool chosen() const;
    void run() const;

  private:
    /// What to do. Throws `std::invalid_argument` for a profile that cannot be read.
    [[nodiscard]] triangulation::Job job() const;

    CLI::App* command_;
    std::uint64_t points_ = 0;
    std::uint64_t seed_ = 1;
    std::string input_;
    std::string output_;
    std::string result_;
    std::string trace_;
    std::string profile_;
    std::string schedule_ = "auto";
    std::string transport_ = "two-sided";
    std::optional<std::uint64_t> message_size_;
    std::optional<int> window_;
    bool verify_ = false;
};

}  // namespace lapwing::tools

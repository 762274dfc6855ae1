#pragma once

#include <cstdint>
#include <string>

#include "lapwing/plan/workload.hpp"

namespace CLI {
class App;
}

namespace lapwing::tools {

/// `lapwing-mpi sweep`: times a workload in every way there is to cut it: the blocking baseline,
/// every uniform (S, b) of template E, or (S, window) of a pipeline, the paper's plan and ours.
class SweepCommand {
  public:
    explicit SweepCommand(CLI::App& app);
    [[nodiscard]] bool chosen() const;
    void run() const;

  private:
    /// All but the computation.
    [[nodiscard]] Workload workload(std::uint64_t ranks) const;
    /// Of all runs, but for the plan's where that is to choose.
    [[nodiscard]] std::string base_transport() const;

    CLI::App* command_;
    std::string profile_;
    std::string output_;
    std::string plan_;
    std::string pattern_ = "stream";
    std::string direction_ = "fetch";
    std::string dependence_ = "tight";
    std::string transport_ = "two-sided";
    std::uint64_t volume_ = 0;
    std::uint64_t peers_ = 0;
    std::uint64_t block_ = 0;
    std::uint64_t stride_ = 0;
    std::uint64_t smallest_ = 256;
    double ratio_ = 1;
    double compute_ = -1;
    std::uint64_t grain_ = sizeof(double);
    int repetitions_ = 0;
    bool unbalanced_ = false;
    bool unknown_sizes_ = false;
    bool plan_only_ = false;
};

}  // namespace lapwing::tools

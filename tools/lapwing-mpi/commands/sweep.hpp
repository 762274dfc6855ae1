#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lapwing/plan/workload.hpp"

namespace CLI {
class App;
}
namespace lapwing {
struct Profile;
class RankGroup;
}  // namespace lapwing

namespace lapwing::tools {

class Trial;
struct GridPoint;

/// `lapwing-mpi sweep`: times a workload in every way to cut it into messages: not at all, every
/// uniform (S, b) of template E or (S, window) of a pipeline, the paper's plan and ours.
class SweepCommand {
  public:
    explicit SweepCommand(CLI::App& app);
    [[nodiscard]] bool chosen() const;
    void run() const;

  private:
    /// Calls an action with a trial over the transport of this name.
    using UseTrial = std::function<void(const std::string& transport,
                                        const std::function<void(Trial&)>& action)>;

    /// The workload that was asked for, without its computation.
    [[nodiscard]] Workload workload(std::uint64_t ranks) const;
    /// The transport of all runs, but for our plan's if the plan is to choose its own.
    [[nodiscard]] std::string base_transport() const;
    /// What to time beside the baseline and the plans.
    [[nodiscard]] std::vector<GridPoint> points(const Trial& trial, const Workload& workload) const;
    /// Times the workload on the ranks of the group, and writes the result.
    void sweep(RankGroup& group, Workload workload, const Profile& profile,
               std::vector<std::string> warnings, const UseTrial& use_trial) const;

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
    std::vector<std::string> schedules_ = {"E"};
};

}  // namespace lapwing::tools

#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lapwing/calibrate/sampling/sampling.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing::tools {

/// Where and how this run takes place. All ranks construct it together.
class RunDescription {
  public:
    RunDescription();
    /// Names and values: MPI, target, hosts, ranks, processor, cores, binding, MPI environment,
    /// date, command, and the interfaces or, on a simulated cluster, its hash.
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& fields() const {
        return fields_;
    }
    /// What makes measurements here doubtful: a host with more ranks than processors for them, or
    /// with other programs running.
    [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

  private:
    std::vector<std::pair<std::string, std::string>> fields_;
    std::vector<std::string> warnings_;
};

/// Adds warnings about disturbances that the sampling noticed.
void add_warnings(Profile& profile, const NoiseCounts& noise, const SamplingGoal& goal);

}  // namespace lapwing::tools

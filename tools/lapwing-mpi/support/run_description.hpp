#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lapwing/calibrate/sampling/sampler.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing::tools {

/// Where and how a calibration is made. Constructed by all ranks together.
class RunDescription {
  public:
    RunDescription();
    /// By name: MPI, target, hosts, ranks, processor, cores, binding, MPI environment, date,
    /// interfaces, or the hash of the simulated cluster.
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& fields() const {
        return fields_;
    }
    /// What makes measurements here doubtful: more ranks on a host than processors they may use, or
    /// other programs at work.
    [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

  private:
    std::vector<std::pair<std::string, std::string>> fields_;
    std::vector<std::string> warnings_;
};

/// Adds to the profile's warnings what the sampling itself noticed.
void add_warnings(Profile& profile, const NoiseCounts& noise, const SamplingGoal& goal);

}  // namespace lapwing::tools

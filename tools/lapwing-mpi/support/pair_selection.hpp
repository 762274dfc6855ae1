#pragma once

#include <array>
#include <string>
#include <vector>

#include "lapwing/calibrate/ranks/nodes.hpp"
#include "lapwing/calibrate/sampling/sampling.hpp"
#include "lapwing/calibrate/sampling/status.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing::tools {

/// Two ranks to measure beside the main pair, and the name of this pair.
struct NamedPair {
    std::string name;
    std::array<int, 2> ranks;
};

/// The pairs to measure: if there are several ranks on some node and several nodes, one pair within
/// a node and one between nodes; and those in `named`, such as "0,5". Throws `std::runtime_error`
/// if one of these is no two of `size` ranks.
std::vector<NamedPair> pairs_to_measure(const std::vector<std::string>& named, const Nodes& nodes,
                                        int size);

/// Fills `profile.pairs` of rank 0, one pair after another, `seconds` each; all ranks call it.
/// Those that are not of a pair wait without keeping a core busy.
void measure_pairs(const std::vector<NamedPair>& pairs, const SamplingGoal& goal, double seconds,
                   Profile& profile, NoiseCounts& noise, const StatusCallback& report);

}  // namespace lapwing::tools

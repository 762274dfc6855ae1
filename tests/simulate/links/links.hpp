#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "lapwing/io/goal.hpp"
#include "lapwing/profile/profile.hpp"
#include "lapwing/simulate/costs/measured_machine.hpp"
#include "lapwing/simulate/simulate.hpp"

namespace lapwing::test {

/// A machine on which a message takes 10 us and 1 ns a byte, without overheads.
inline Profile links_alone(Nic nic) {
    Profile profile;
    profile.loggp = {.L = 10e-6, .o_s = 0, .o_r = 0, .g = 0, .G = 1e-9};
    profile.nic = nic;
    return profile;
}

/// One send.
struct Sent {
    int from;
    int to;
    int microseconds;  ///< on the links: a thousand bytes each
};

/// The schedule in which all of `sends` start at once, those of a rank in this order.
inline std::string at_once(int ranks, const std::vector<Sent>& sends) {
    std::string goal = "num_ranks " + std::to_string(ranks) + "\n";
    for (int rank = 0; rank < ranks; ++rank) {
        goal += "rank " + std::to_string(rank) + " {\n";
        std::string before;
        for (std::size_t i = 0; i < sends.size(); ++i) {
            const auto& [from, to, microseconds] = sends[i];
            const std::string number = std::to_string(i);
            const std::string size = std::to_string(microseconds) + "000b";
            if (to == rank)
                goal += "r" + number + ": recv " + size + " from " + std::to_string(from) +
                        " tag " + number + "\n";
            if (from != rank) continue;
            const std::string label = "s" + number;
            goal +=
                label + ": send " + size + " to " + std::to_string(to) + " tag " + number + "\n";
            // A send ends at once, so this only keeps their order.
            if (!before.empty()) goal += label + " requires " + before + "\n";
            before = label;
        }
        goal += "}\n";
    }
    return goal;
}

/// When each rank has its last message, microseconds.
inline std::vector<double> finish(const std::string& goal, const Profile& profile,
                                  const simulate::MeasuredMachine::Options& options = {
                                      .ranks_per_node = 1, .topology = {}, .stride = {}}) {
    const auto result =
        simulate::simulate(goal_from_text(goal), simulate::MeasuredMachine(profile, options));
    std::vector<double> finish;
    for (const auto time : result.rank_finish) finish.push_back(static_cast<double>(time) / 1e6);
    return finish;
}

/// When each rank has its last message of `sends`, microseconds. All start at once, and only links
/// take time.
inline std::vector<double> arrivals(int ranks, const std::vector<Sent>& sends, Nic nic,
                                    const simulate::Topology& topology = {}) {
    return finish(at_once(ranks, sends), links_alone(nic),
                  {.ranks_per_node = 1, .topology = topology, .stride = {}});
}

}  // namespace lapwing::test

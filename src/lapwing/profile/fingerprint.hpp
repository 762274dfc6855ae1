#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// What is said of a machine, by name: `Profile::machine`.
using MachineDescription = std::vector<std::pair<std::string, std::string>>;

/// A short text that changes with whatever makes measurements invalid: the target without its
/// number of ranks, the simulated cluster, MPI and its settings, the processor and its cores,
/// one host or several, interfaces. Not with what changes from run to run: date, command, names of
/// hosts. 16 hexadecimal digits.
std::string fingerprint(const MachineDescription& machine);

/// In words, where the machine that `measured` describes differs from `here` in what a fingerprint
/// covers: "with Open MPI 4.1.4, this is MPICH 4.0.2". Empty where it does not. What one of the two
/// says nothing about is passed over.
std::string difference(const MachineDescription& measured, const MachineDescription& here);

/// In words, where two profiles are not of the same machine; empty where they are, as far as they
/// say.
std::string difference(const Profile& a, const Profile& b);

/// One line for the user where `profile` does not hold on the machine `here`; empty where it does,
/// or where the profile has no fingerprint.
std::string staleness(const Profile& profile, const MachineDescription& here);

}  // namespace lapwing

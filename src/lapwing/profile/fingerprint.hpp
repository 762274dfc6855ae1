#pragma once

#include <string>
#include <utility>
#include <vector>

#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// A description of a machine as pairs of a name and a text, like `Profile::machine`.
using MachineDescription = std::vector<std::pair<std::string, std::string>>;

/// 16 hexadecimal digits. They change if measurements become invalid. They depend on the target
/// (without its number of ranks), the simulated cluster, MPI and its settings. They also depend on
/// the processor and its cores, one host or several, and interfaces. They do not change with the
/// date, the command or the names of hosts.
std::string fingerprint(const MachineDescription& machine);

/// Says in words how the machine described by `measured` differs from `here`, as far as a
/// fingerprint covers it: "with Open MPI 4.1.4, this is MPICH 4.0.2". Empty if it does not. Ignores
/// entries that only one of the two has.
std::string difference(const MachineDescription& measured, const MachineDescription& here);

/// Says in words how the machines of two profiles differ. Empty if they are the same, as far as the
/// profiles say.
std::string difference(const Profile& a, const Profile& b);

/// One line for the user if `profile` was measured on another machine than `here`. Empty if it was
/// not, or if the profile has no fingerprint.
std::string staleness(const Profile& profile, const MachineDescription& here);

}  // namespace lapwing

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lapwing {

/// The MPI libraries whose choice of algorithms is known: "mvapich2" (1.0: March 2009, tables 2 and
/// 3), "mpich" (4.0), "openmpi" (the fixed decisions of `tuned` in 4.1).
[[nodiscard]] const std::vector<std::string>& selections();

/// The algorithm that an MPI library chooses by default for `operation` among `ranks` with `size`
/// bytes, as one of `simulate::collective_algorithms`; the nearest of these if it uses another.
/// Assumes built-in, commutative operators, data of doubles, and one rank on each node. Throws
/// `std::invalid_argument` if the library is unknown or has no rule for this operation.
[[nodiscard]] std::string_view selected(std::string_view library, std::string_view operation,
                                        std::uint64_t ranks, std::uint64_t size);

}  // namespace lapwing

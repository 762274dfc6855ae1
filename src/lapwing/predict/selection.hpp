#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lapwing {

/// Who has a table of its own choices: "mvapich2" (1.0: March 2009, tables 2 and 3), "mpich" (4.0),
/// "openmpi" (the fixed decisions of `tuned` in 4.1).
[[nodiscard]] const std::vector<std::string>& selections();

/// The algorithm that this MPI takes by itself for `operation` among `ranks` with `size` bytes, as
/// one of `simulate::collective_algorithms`: where it has one that is none of them, the nearest.
/// Operators are built in and commute, data is doubles, ranks are one on each node. Throws
/// `std::invalid_argument` if there is no such table or it does not say.
[[nodiscard]] std::string_view selected(std::string_view table, std::string_view operation,
                                        std::uint64_t ranks, std::uint64_t size);

}  // namespace lapwing

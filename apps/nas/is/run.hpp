#pragma once

#include <mpi.h>

#include "../common/request.hpp"
#include "../common/result.hpp"

namespace lapwing::nas::is {

/// Runs IS on all ranks of `ranks`. Collective. Throws as `nas::Run` does.
[[nodiscard]] Result run(MPI_Comm ranks, const Request& request);

}  // namespace lapwing::nas::is

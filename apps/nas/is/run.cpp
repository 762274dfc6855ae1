#include "run.hpp"

#include "../common/run.hpp"
#include "benchmark.hpp"

namespace lapwing::nas::is {

Result run(MPI_Comm ranks, const Request& request) {
    return Run<Benchmark>(ranks, request).result();
}

}  // namespace lapwing::nas::is

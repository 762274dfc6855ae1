#include "lapwing/calibrate/benchmarks/packed_copy.hpp"

#include <mpi.h>

#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing {

void PackedCopy::copy() {
    constexpr auto count = static_cast<int>(bytes);
    int position = 0;
    check_mpi(MPI_Pack(from_.data(), count, MPI_BYTE, to_.data(), count, &position, MPI_COMM_SELF),
              "MPI_Pack");
}

}  // namespace lapwing

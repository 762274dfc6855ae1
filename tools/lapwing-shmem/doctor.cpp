#include "commands/doctor.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "lapwing/calibrate/ranks/quiet_barrier.hpp"
#include "lapwing/io/file.hpp"
#include "lapwing/transport/shmem/operations.hpp"
#include "lapwing/transport/shmem/symmetric_memory.hpp"
#include "support/examination.hpp"

namespace lapwing::tools {

void DoctorCommand::run() const {
    const std::uint64_t largest = *std::max_element(options_.sizes.begin(), options_.sizes.end());
    SymmetricMemory memory(2 * examination::fewest_messages * largest);
    const auto result = examine_pair(options_, [&](MPI_Comm two) {
        return [&memory, two](std::uint64_t, auto&& visit) {
            shmem::operations(two, memory, std::forward<decltype(visit)>(visit));
        };
    });
    if (result) write_file(output_, doctor_json(*result));
    quiet_barrier(MPI_COMM_WORLD);
}

}  // namespace lapwing::tools

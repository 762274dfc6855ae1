#include "commands/doctor.hpp"

#include <mpi.h>

#include <cstdint>
#include <utility>

#include "lapwing/calibrate/all_operations.hpp"
#include "lapwing/io/file.hpp"
#include "support/examination.hpp"

namespace lapwing::tools {

void DoctorCommand::run() const {
    const auto result = examine_pair(options_, [](MPI_Comm two) {
        return [two](std::uint64_t capacity, auto&& visit) {
            all_operations(two, capacity, std::forward<decltype(visit)>(visit));
        };
    });
    if (result) write_file(output_, doctor_json(*result));
}

}  // namespace lapwing::tools

#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <sstream>
#include <stdexcept>
#include <string>

#include "lapwing/compute/charge.hpp"
#include "lapwing/pipeline/agreement/check_agreement.hpp"
#include "lapwing/simulate/program/available_memory.hpp"
#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing::fft {

/// Returns if every machine has the memory that its ranks need together, `bytes` of it for this
/// rank. Otherwise every rank gets the same `std::invalid_argument`. Collective over `ranks`. A
/// simulated machine is not checked: the size of its memory is unknown.
inline void require_memory(std::uint64_t bytes, const Communicator& ranks) {
    if (simulated_time) return;
    std::uint64_t needed = 0;
    const auto machine = Communicator::of_node(ranks.get());
    check_mpi(MPI_Allreduce(&bytes, &needed, 1, MPI_UINT64_T, MPI_SUM, machine.get()),
              "MPI_Allreduce");
    const auto all_needed = agreement::values_of_all_ranks(needed, ranks);
    const auto all_left = agreement::values_of_all_ranks(simulate::available_memory(), ranks);
    for (std::size_t rank = 0; rank < all_needed.size(); ++rank) {
        if (all_needed[rank] <= all_left[rank]) continue;
        const auto gigabytes = [](std::uint64_t number) {
            std::ostringstream text;
            text << std::setprecision(3) << static_cast<double>(number) / (1 << 30) << " GB";
            return text.str();
        };
        throw std::invalid_argument("fft: the machine of rank " + std::to_string(rank) + " has " +
                                    gigabytes(all_left[rank]) +
                                    " of memory left, and buffers take " +
                                    gigabytes(all_needed[rank]));
    }
}

}  // namespace lapwing::fft

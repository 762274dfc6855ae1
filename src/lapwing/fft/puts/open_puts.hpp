#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <stdexcept>

#include "lapwing/fft/options.hpp"
#include "lapwing/fft/puts/puts.hpp"
#include "lapwing/fft/puts/rma_puts.hpp"
#ifdef LAPWING_UCX
#include "lapwing/fft/puts/ucx_puts.hpp"
#endif
#ifdef LAPWING_OSHMEM
#include "lapwing/fft/puts/shmem_puts.hpp"
#endif

namespace lapwing::fft {

/// Puts by the library that `transport` names, with `bytes` of memory on every rank. Collective
/// over `ranks`. Throws `std::invalid_argument` where the program was built without it.
[[nodiscard]] inline std::unique_ptr<Puts> open_puts(Transport transport, MPI_Comm ranks,
                                                     std::size_t bytes) {
    switch (transport) {
        case Transport::ucx:
#ifdef LAPWING_UCX
            return std::make_unique<UcxPuts>(ranks, bytes);
#else
            throw std::invalid_argument("fft: this program was built without UCX");
#endif
        case Transport::shmem:
#ifdef LAPWING_OSHMEM
            return std::make_unique<ShmemPuts>(ranks, bytes);
#else
            throw std::invalid_argument("fft: this program was built without OpenSHMEM");
#endif
        default:
            return std::make_unique<RmaPuts>(ranks, bytes);
    }
}

}  // namespace lapwing::fft

#pragma once

#include "arguments.hpp"
#include "collectives.hpp"
#include "mpi_weak.hpp"
#include "point_to_point.hpp"
#include "requests.hpp"
#include "routines.hpp"

// What programs see of this library.
#define LAPWING_SEEN extern "C" __attribute__((visibility("default")))

namespace lapwing::observe {

/// A routine of MPI as programs call it: it does what `Behaviour` says, and has parameters of these
/// `Kinds`.
template <class Behaviour, class... Kinds>
struct Entry {
    /// Runs a call from C. `routine`: its name; `address`: to which it returns; `call()`: MPI's
    /// part.
    template <class Call>
    static int from_c(const char* routine, const void* address, const Call& call,
                      typename Kinds::C... arguments) {
        return Behaviour::run(routine, address, call, Behaviour{}, Kinds::read(arguments)...);
    }
    /// Runs a call from Fortran.
    template <class Call, class... Addresses>
    static void from_fortran(const char* routine, const void* address, const Call& call,
                             Addresses... arguments) {
        const auto succeeds = [&] {
            call();
            return MPI_SUCCESS;
        };
        Behaviour::run(routine, address, succeeds, Behaviour{}, Kinds::read_fortran(arguments)...);
    }
};

}  // namespace lapwing::observe

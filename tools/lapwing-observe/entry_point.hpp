#pragma once

#include "arguments.hpp"
#include "manners.hpp"
#include "mpi_weak.hpp"
#include "routines.hpp"

// What programs see of this library.
#define LAPWING_SEEN extern "C" __attribute__((visibility("default")))

namespace lapwing::observe {

/// A routine with arguments of some `Kinds`, which does as `Manner` says.
template <class Manner, class... Kinds>
struct Entry {
    /// Called from C with these arguments; `call()` is what MPI does.
    template <class Call>
    static int from_c(const char* routine, const void* address, const Call& call,
                      typename Kinds::C... arguments) {
        return Manner::run(routine, address, call, Manner{}, Kinds::read(arguments)...);
    }
    /// The same from Fortran.
    template <class Call, class... Addresses>
    static void from_fortran(const char* routine, const void* address, const Call& call,
                             Addresses... arguments) {
        const auto succeeds = [&] {
            call();
            return MPI_SUCCESS;
        };
        Manner::run(routine, address, succeeds, Manner{}, Kinds::read_fortran(arguments)...);
    }
};

}  // namespace lapwing::observe

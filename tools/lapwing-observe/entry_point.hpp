#pragma once

#include <type_traits>

#include "arguments.hpp"
#include "collectives.hpp"
#include "communicator_routines.hpp"
#include "mpi_weak.hpp"
#include "point_to_point.hpp"
#include "probe_routines.hpp"
#include "requests.hpp"
#include "routines.hpp"

// What programs see of this library.
#define LAPWING_SEEN extern "C" __attribute__((visibility("default")))

namespace lapwing::observe {

/// A routine of MPI as programs call it: it does what `Behaviour` says, and has parameters of these
/// `Kinds`.
template <class Behaviour, class... Kinds>
struct Entry {
    /// Runs a call from C. `routine`: its name; `address`: to which it returns; `function`: MPI's
    /// part, one of several of the same parameters.
    template <class Function>
    static int from_c(const char* routine, const void* address, Function* function,
                      typename Kinds::C... arguments) {
        MPI_Status own{};
        (provide<Kinds>(arguments, own), ...);
        const auto call = [&] { return function(arguments...); };
        return Behaviour::run(routine, address, call, Behaviour{}, Kinds::read(arguments)...);
    }
    /// Runs a call from Fortran. `error`: the last argument of `function`.
    template <class Function, class... Addresses>
    static void from_fortran(const char* routine, const void* address, Function* function,
                             void* error, Addresses... arguments) {
        MPI_Status own{};
        (provide_fortran<Kinds>(arguments, own), ...);
        const auto call = [&] {
            function(arguments..., error);
            return MPI_SUCCESS;
        };
        Behaviour::run(routine, address, call, Behaviour{}, Kinds::read_fortran(arguments)...);
    }

  private:
    /// If the call is recorded, a receive has a status, `own` where the caller wants none.
    template <class Kind, class Argument>
    static void provide(Argument& argument, MPI_Status& own) {
        if constexpr (std::is_same_v<Kind, arguments::Received>)
            if (records_calls()) argument = Kind::or_own(argument, own);
    }
    template <class Kind>
    static void provide_fortran(void*& argument, MPI_Status& own) {
        if constexpr (std::is_same_v<Kind, arguments::Received>)
            if (records_calls()) argument = Kind::or_own_fortran(argument, own);
    }
};

}  // namespace lapwing::observe

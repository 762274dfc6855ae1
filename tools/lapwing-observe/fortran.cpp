// The routines as Fortran programs call them. mpif.h and the module mpi use the routines' own
// names, mpi_f08 names that Open MPI and MPICH chose. They are intercepted here, as Open MPI's do
// not call the C routines, and under MPICH the C routines do not see the program's return address.

#include <dlfcn.h>

#include "entry_point.hpp"

namespace lapwing::observe {
namespace {

using namespace arguments;

/// MPI's own routine of this name.
template <class Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

#define LAPWING_FORTRAN(Name, name, symbol, does, n, ...)                                      \
    LAPWING_SEEN void symbol(LAPWING_ADDRESSES_##n, void* error) {                             \
        using Function = void(LAPWING_ADDRESSES_##n, void*);                                   \
        static Function* const function = next<Function>(#symbol);                             \
        Entry<does, __VA_ARGS__>::from_fortran(#symbol, __builtin_return_address(0), function, \
                                               error, LAPWING_NAMES_##n);                      \
    }
#define LAPWING_NAMED(Name, name, does, n, ...) \
    LAPWING_FORTRAN(Name, name, mpi_##name##_, does, n, __VA_ARGS__)
#define LAPWING_2008(Name, name, does, n, ...) \
    LAPWING_FORTRAN(Name, name, mpi_##name##_f08_, does, n, __VA_ARGS__)
// MPICH's names of routines with buffers.
#define LAPWING_2018(Name, name, does, n, ...) \
    LAPWING_FORTRAN(Name, name, mpi_##name##_f08ts_, does, n, __VA_ARGS__)
LAPWING_ROUTINES(LAPWING_NAMED)
LAPWING_ROUTINES(LAPWING_2008)
LAPWING_ROUTINES(LAPWING_2018)
LAPWING_COMMUNICATOR_ROUTINES(LAPWING_NAMED)
LAPWING_COMMUNICATOR_ROUTINES(LAPWING_2008)
LAPWING_PROBE_ROUTINES(LAPWING_NAMED)
LAPWING_PROBE_ROUTINES(LAPWING_2008)
LAPWING_PROBE_ROUTINES(LAPWING_2018)

// How a program begins and ends.
namespace {

template <class... Addresses>
void call_next(const char* name, Addresses... addresses) {
    next<void(Addresses...)>(name)(addresses...);
}
void begin() {
    int threads = MPI_THREAD_SINGLE;
    PMPI_Query_thread(&threads);
    begin_observing(threads);
}

}  // namespace

#define LAPWING_ENDS(suffix)                                                          \
    LAPWING_SEEN void mpi_init_##suffix(void* error) {                                \
        call_next("mpi_init_" #suffix, error);                                        \
        begin();                                                                      \
    }                                                                                 \
    LAPWING_SEEN void mpi_init_thread_##suffix(void* asked, void* has, void* error) { \
        call_next("mpi_init_thread_" #suffix, asked, has, error);                     \
        begin();                                                                      \
    }                                                                                 \
    LAPWING_SEEN void mpi_finalize_##suffix(void* error) {                            \
        end_observing();                                                              \
        call_next("mpi_finalize_" #suffix, error);                                    \
    }
LAPWING_ENDS()
LAPWING_ENDS(f08_)

}  // namespace lapwing::observe

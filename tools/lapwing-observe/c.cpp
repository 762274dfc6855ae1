// The routines as C and C++ programs call them.

#include "entry_point.hpp"

extern "C" {
#define LAPWING_WEAK(Name, name, does, n, ...) \
    __attribute__((weak)) decltype(PMPI_##Name) PMPI_##Name;
LAPWING_ROUTINES(LAPWING_WEAK)
LAPWING_COMMUNICATOR_ROUTINES(LAPWING_WEAK)
LAPWING_PROBE_ROUTINES(LAPWING_WEAK)
}

namespace lapwing::observe {
namespace {
using namespace arguments;
}  // namespace

#define LAPWING_C(Name, name, does, n, ...)                                                \
    LAPWING_SEEN int MPI_##Name(LAPWING_TYPED_##n(__VA_ARGS__)) {                          \
        return Entry<does, __VA_ARGS__>::from_c("MPI_" #Name, __builtin_return_address(0), \
                                                &PMPI_##Name, LAPWING_NAMES_##n);          \
    }
LAPWING_ROUTINES(LAPWING_C)
LAPWING_COMMUNICATOR_ROUTINES(LAPWING_C)
LAPWING_PROBE_ROUTINES(LAPWING_C)

}  // namespace lapwing::observe

#ifdef LAPWING_SMPI

// SimGrid loads each rank's copy of a program so that it finds libsimgrid before preloaded
// libraries. This library has to come first: dlopen without RTLD_DEEPBIND sees to that.

#include <dlfcn.h>

#include "entry_point.hpp"

LAPWING_SEEN void* dlopen(const char* file, int mode) noexcept {
    using Open = void*(const char*, int);
    static Open* const open = reinterpret_cast<Open*>(dlsym(RTLD_NEXT, "dlopen"));
    // Simulated interfaces, where they are preloaded as well, begin when there is a simulation.
    using Begin = void();
    static Begin* const begin =
        reinterpret_cast<Begin*>(dlsym(RTLD_DEFAULT, "lapwing_begin_interfaces"));
    if (begin) begin();
    return open(file, mode & ~RTLD_DEEPBIND);
}

#endif

#pragma once

#include "arguments.hpp"
#include "listeners.hpp"
#include "mpi_weak.hpp"
#include "observed_call.hpp"

namespace lapwing::observe {

using arguments::Ignored;

/// Runs a routine that only records are interested in. `Behaviour::keep(arguments...)` is called
/// before it, `Behaviour::tell(recorder, call, kept, arguments...)` when it has succeeded.
struct RecordedOnly {
    template <class Call, class Behaviour, class... Arguments>
    static int run(const char* routine, const void* address, const Call& call, Behaviour,
                   const Arguments&... arguments) {
        if (!records_calls()) return call();
        ObservedCall observed(routine, address);
        if (!observed.on()) return call();
        const auto kept = Behaviour::keep(arguments...);
        const int result = call();
        observed.done();
        observed.record([&](Listeners& listeners, const TimedCall& timed) {
            if (listeners.recorder && result == MPI_SUCCESS)
                Behaviour::tell(*listeners.recorder, timed, kept, arguments...);
        });
        return result;
    }
    template <class... Arguments>
    static Ignored keep(const Arguments&...) {
        return {};
    }
};

}  // namespace lapwing::observe

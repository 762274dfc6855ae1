#pragma once

#include <mpi.h>

#include <concepts>
#include <type_traits>

#include "lapwing/transport/failure/end_job.hpp"
#include "lapwing/transport/mpi/acknowledgements.hpp"

namespace lapwing {

/// The body of a `main`: begins MPI, calls `run()`, ends MPI, and returns the status that `run()`
/// returns, or 0 where it returns none. An exception of any type becomes one line, "NAME: rank R:
/// WHAT". It takes the other ranks down, as they would wait for this one for ever.
///
///     int main(int argc, char** argv) {
///         return lapwing::program("mine", argc, argv, [&] { ... });
///     }
///
/// `argc`, `argv`: those of `main`; MPI takes out what is meant for it.
template <std::invocable Run>
int program(const char* name, int& argc, char**& argv, Run&& run) {
    MPI_Init(&argc, &argv);
    int status = 0;
    try {
        if constexpr (std::is_void_v<std::invoke_result_t<Run&>>) {
            run();
        } else {
            status = run();
        }
        await_acknowledgements(MPI_COMM_WORLD);
    } catch (...) {
        end_job(name, failure::describe().c_str());
    }
    MPI_Finalize();
    return status;
}

}  // namespace lapwing

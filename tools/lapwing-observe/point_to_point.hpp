#pragma once

#include "arguments.hpp"
#include "call_description.hpp"
#include "listeners.hpp"
#include "mpi_weak.hpp"
#include "observed_call.hpp"

// What routines that send and receive do, described from their arguments. A `describe` has the
// parameters of its routine, however many these are.

namespace lapwing::observe {

using arguments::Datatypes;
using arguments::Ignored;
using arguments::ReceivedStatus;

/// Runs a routine that is complete when it returns.
struct Blocks {
    template <class Call, class Behaviour, class... Arguments>
    static int run(const char* routine, const void* address, const Call& call, Behaviour,
                   const Arguments&... arguments) {
        ObservedCall observed(routine, address);
        const int result = call();
        if (observed.on()) {
            observed.done();
            observed.record([&](Listeners& listeners, const TimedCall& timed) {
                listeners.blocking(timed, Behaviour::describe(arguments...));
            });
        }
        return result;
    }
};

struct Sends : Blocks {
    static CallDescription describe(const void*, int count, MPI_Datatype type, int peer, int tag,
                                    MPI_Comm comm) {
        return {
            .comm = comm, .sends = true, .to = {peer, tag, bytes(count, type), element_of(type)}};
    }
};
struct Receives : Blocks {
    static CallDescription describe(const void*, int count, MPI_Datatype type, int peer, int tag,
                                    MPI_Comm comm, const ReceivedStatus& status = {}) {
        return {.comm = comm,
                .receives = true,
                .from = {peer, tag, bytes(count, type), element_of(type),
                         peer == MPI_ANY_SOURCE ? status.source() : peer,
                         tag == MPI_ANY_TAG ? status.tag() : tag}};
    }
};
struct Swaps : Blocks {
    static CallDescription describe(const void* from, int count, MPI_Datatype type, int to, int tag,
                                    const void* into, int room, MPI_Datatype their_type, int source,
                                    int their_tag, MPI_Comm comm, const ReceivedStatus& status) {
        CallDescription both = Sends::describe(from, count, type, to, tag, comm);
        both.receives = true;
        both.from =
            Receives::describe(into, room, their_type, source, their_tag, comm, status).from;
        return both;
    }
};
struct Replaces : Blocks {
    static CallDescription describe(const void* buffer, int count, MPI_Datatype type, int to,
                                    int tag, int source, int their_tag, MPI_Comm comm,
                                    const ReceivedStatus& status) {
        return Swaps::describe(buffer, count, type, to, tag, buffer, count, type, source, their_tag,
                               comm, status);
    }
};

}  // namespace lapwing::observe

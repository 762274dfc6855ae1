#pragma once

#include <tuple>

#include "arguments.hpp"
#include "listeners.hpp"
#include "mpi_weak.hpp"
#include "observed_call.hpp"

// What makes and frees communicators: followed where calls are recorded, so that the records name
// communicators as all their ranks do.

namespace lapwing::observe {

namespace arguments {

/// A communicator that the call makes, or frees.
class CommHandle {
  public:
    explicit CommHandle(const MPI_Comm* comm) : comm_(comm) {}
    explicit CommHandle(const void* comm) : comm_(comm), fortran_(true) {}
    [[nodiscard]] MPI_Comm operator*() const {
        return fortran_ ? PMPI_Comm_f2c(*static_cast<const MPI_Fint*>(comm_))
                        : *static_cast<const MPI_Comm*>(comm_);
    }

  private:
    const void* comm_;
    bool fortran_ = false;
};
struct CommOut {
    using C = MPI_Comm*;
    static CommHandle read(C argument) {
        return CommHandle(static_cast<const MPI_Comm*>(argument));
    }
    static CommHandle read_fortran(const void* argument) { return CommHandle(argument); }
};
template <class Handle>
struct Unread {
    using C = Handle;
    static Ignored read(C) { return {}; }
    static Ignored read_fortran(const void*) { return {}; }
};
using Group = Unread<MPI_Group>;
using Info = Unread<MPI_Info>;

}  // namespace arguments

/// Runs a routine whose effect on communicators `Behaviour::tell(recorder, arguments...)` says.
struct Changes {
    template <class Call, class Behaviour, class... Arguments>
    static int run(const char* routine, const void* address, const Call& call, Behaviour,
                   const Arguments&... arguments) {
        if (!records_calls()) return call();
        ObservedCall observed(routine, address);
        if (!observed.on()) return call();
        if constexpr (Behaviour::before) note<Behaviour>(arguments...);
        const int result = call();
        observed.done();
        observed.record([](Listeners& listeners, const TimedCall& timed) {
            if (listeners.recorder) listeners.recorder->other(timed);
        });
        if constexpr (!Behaviour::before) note<Behaviour>(arguments...);
        return result;
    }

  private:
    template <class Behaviour, class... Arguments>
    static void note(const Arguments&... arguments) {
        ObservedCall::with_recorder(
            [&](Recorder& recorder) { Behaviour::tell(recorder, arguments...); });
    }
};
/// The last argument is a new communicator.
struct MakesComm : Changes {
    static constexpr bool before = false;
    template <class... Arguments>
    static void tell(Recorder& recorder, const Arguments&... arguments) {
        const MPI_Comm made = *std::get<sizeof...(Arguments) - 1>(std::tie(arguments...));
        if (made != MPI_COMM_NULL) recorder.created(made);
    }
};
struct MakesCommLater : Changes {
    static constexpr bool before = false;
    static void tell(Recorder& recorder, MPI_Comm original, const arguments::CommHandle& copy,
                     const arguments::Handles&) {
        recorder.created_later(*copy, original);
    }
};
struct FreesComm : Changes {
    static constexpr bool before = true;
    static void tell(Recorder& recorder, const arguments::CommHandle& comm) {
        recorder.freed(*comm);
    }
};
/// A routine of which only the time counts.
struct Passes : Changes {
    static constexpr bool before = false;
    template <class... Arguments>
    static void tell(Recorder&, const Arguments&...) {}
};

}  // namespace lapwing::observe

// As LAPWING_ROUTINES in routines.hpp.
#define LAPWING_COMMUNICATOR_ROUTINES(X)                                                           \
    X(Comm_dup, comm_dup, MakesComm, 2, Comm, CommOut)                                             \
    X(Comm_dup_with_info, comm_dup_with_info, MakesComm, 3, Comm, Info, CommOut)                   \
    X(Comm_idup, comm_idup, MakesCommLater, 3, Comm, CommOut, Asked)                               \
    X(Comm_split, comm_split, MakesComm, 4, Comm, Number, Number, CommOut)                         \
    X(Comm_split_type, comm_split_type, MakesComm, 5, Comm, Number, Number, Info, CommOut)         \
    X(Comm_create, comm_create, MakesComm, 3, Comm, Group, CommOut)                                \
    X(Comm_create_group, comm_create_group, MakesComm, 4, Comm, Group, Number, CommOut)            \
    X(Cart_create, cart_create, MakesComm, 6, Comm, Number, Numbers, Numbers, Number, CommOut)     \
    X(Cart_sub, cart_sub, MakesComm, 3, Comm, Numbers, CommOut)                                    \
    X(Graph_create, graph_create, MakesComm, 6, Comm, Number, Numbers, Numbers, Number, CommOut)   \
    X(Dist_graph_create, dist_graph_create, MakesComm, 9, Comm, Number, Numbers, Numbers, Numbers, \
      Numbers, Info, Number, CommOut)                                                              \
    X(Dist_graph_create_adjacent, dist_graph_create_adjacent, MakesComm, 10, Comm, Number,         \
      Numbers, Numbers, Number, Numbers, Numbers, Info, Number, CommOut)                           \
    X(Intercomm_create, intercomm_create, MakesComm, 6, Comm, Number, Comm, Number, Number,        \
      CommOut)                                                                                     \
    X(Intercomm_merge, intercomm_merge, MakesComm, 3, Comm, Number, CommOut)                       \
    X(Comm_free, comm_free, FreesComm, 1, CommOut)                                                 \
    X(Comm_disconnect, comm_disconnect, FreesComm, 1, CommOut)                                     \
    X(Probe, probe, Passes, 4, Number, Number, Comm, Status)

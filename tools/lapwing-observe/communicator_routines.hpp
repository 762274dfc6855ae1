#pragma once

#include <cstdint>
#include <tuple>

#include "arguments.hpp"
#include "mpi_weak.hpp"
#include "recorded_only.hpp"

// What makes and frees communicators, so that the records name communicators as all their ranks do.

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
using Group = Unread<MPI_Group>;
using Info = Unread<MPI_Info>;

}  // namespace arguments

/// The last argument is a new communicator.
template <class... Arguments>
void tell_created(Recorder& recorder, const Arguments&... arguments) {
    MPI_Comm made = *std::get<sizeof...(Arguments) - 1>(std::tie(arguments...));
    if (made != MPI_COMM_NULL) recorder.created(made);
}
/// All ranks of the first communicator make another, the last argument; to this end each tells all
/// others so many bytes.
template <std::uint64_t Told>
struct MakesCommOf : RecordedOnly {
    template <class... Arguments>
    static void tell(Recorder& recorder, const TimedCall& timed, Ignored, MPI_Comm parent,
                     const Arguments&... arguments) {
        recorder.creates(timed, parent, Told);
        tell_created(recorder, arguments...);
    }
};
using MakesComm = MakesCommOf<0>;
/// Ranks tell each other their colors and keys.
using SplitsComm = MakesCommOf<2 * sizeof(int)>;
/// Others do.
struct MakesCommAmongSome : RecordedOnly {
    template <class... Arguments>
    static void tell(Recorder& recorder, const TimedCall& timed, Ignored,
                     const Arguments&... arguments) {
        recorder.other(timed);
        tell_created(recorder, arguments...);
    }
};
struct MakesCommLater : RecordedOnly {
    static void tell(Recorder& recorder, const TimedCall& timed, Ignored, MPI_Comm original,
                     const arguments::CommHandle& copy, const arguments::Handles&) {
        recorder.other(timed);
        recorder.created_later(*copy, original);
    }
};
struct FreesComm : RecordedOnly {
    static MPI_Comm keep(const arguments::CommHandle& comm) { return *comm; }
    static void tell(Recorder& recorder, const TimedCall& timed, MPI_Comm freed,
                     const arguments::CommHandle&) {
        recorder.other(timed);
        recorder.freed(freed);
    }
};

}  // namespace lapwing::observe

// As LAPWING_ROUTINES in routines.hpp.
#define LAPWING_COMMUNICATOR_ROUTINES(X)                                                           \
    X(Comm_dup, comm_dup, MakesComm, 2, Comm, CommOut)                                             \
    X(Comm_dup_with_info, comm_dup_with_info, MakesComm, 3, Comm, Info, CommOut)                   \
    X(Comm_idup, comm_idup, MakesCommLater, 3, Comm, CommOut, Asked)                               \
    X(Comm_split, comm_split, SplitsComm, 4, Comm, Number, Number, CommOut)                        \
    X(Comm_split_type, comm_split_type, SplitsComm, 5, Comm, Number, Number, Info, CommOut)        \
    X(Comm_create, comm_create, MakesComm, 3, Comm, Group, CommOut)                                \
    X(Comm_create_group, comm_create_group, MakesCommAmongSome, 4, Comm, Group, Number, CommOut)   \
    X(Cart_create, cart_create, MakesComm, 6, Comm, Number, Numbers, Numbers, Number, CommOut)     \
    X(Cart_sub, cart_sub, MakesComm, 3, Comm, Numbers, CommOut)                                    \
    X(Graph_create, graph_create, MakesComm, 6, Comm, Number, Numbers, Numbers, Number, CommOut)   \
    X(Dist_graph_create, dist_graph_create, MakesComm, 9, Comm, Number, Numbers, Numbers, Numbers, \
      Numbers, Info, Number, CommOut)                                                              \
    X(Dist_graph_create_adjacent, dist_graph_create_adjacent, MakesComm, 10, Comm, Number,         \
      Numbers, Numbers, Number, Numbers, Numbers, Info, Number, CommOut)                           \
    X(Intercomm_create, intercomm_create, MakesCommAmongSome, 6, Comm, Number, Comm, Number,       \
      Number, CommOut)                                                                             \
    X(Intercomm_merge, intercomm_merge, MakesCommAmongSome, 3, Comm, Number, CommOut)              \
    X(Comm_free, comm_free, FreesComm, 1, CommOut)                                                 \
    X(Comm_disconnect, comm_disconnect, FreesComm, 1, CommOut)

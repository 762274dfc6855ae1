#pragma once

#include <cstdint>

#include "arguments.hpp"
#include "call_description.hpp"
#include "handle_number.hpp"
#include "mpi_weak.hpp"
#include "recorded_only.hpp"

// What looks for messages, and receives those that were found.

namespace lapwing::observe {

namespace arguments {

/// A message that was found, and its number, which tells it from others.
class FoundMessage {
  public:
    explicit FoundMessage(const MPI_Message* message) : message_(message) {}
    explicit FoundMessage(const void* message) : message_(message), fortran_(true) {}
    [[nodiscard]] std::uint64_t operator*() const {
        return fortran_ ? handle_number(PMPI_Message_f2c(*static_cast<const MPI_Fint*>(message_)))
                        : handle_number(*static_cast<const MPI_Message*>(message_));
    }

  private:
    const void* message_;
    bool fortran_ = false;
};
struct Found {
    using C = MPI_Message*;
    static FoundMessage read(C argument) {
        return FoundMessage(static_cast<const MPI_Message*>(argument));
    }
    static FoundMessage read_fortran(const void* argument) { return FoundMessage(argument); }
};

}  // namespace arguments

/// A routine of which only the time is recorded.
struct Passes : RecordedOnly {
    template <class... Arguments>
    static void tell(Recorder& recorder, const TimedCall& timed, Ignored, const Arguments&...) {
        recorder.other(timed);
    }
};
/// A routine that is called until it finds something: its time is no computation.
struct Polls : RecordedOnly {
    template <class... Arguments>
    static void tell(Recorder&, const TimedCall&, Ignored, const Arguments&...) {}
};
struct Finds : RecordedOnly {
    static void tell(Recorder& recorder, const TimedCall& timed, Ignored, int, int, MPI_Comm comm,
                     const arguments::FoundMessage& message,
                     const arguments::ReceivedStatus& status) {
        recorder.other(timed);
        recorder.found(*message, comm, status.source(), status.tag());
    }
    static void tell(Recorder& recorder, const TimedCall& timed, Ignored kept, int source, int tag,
                     MPI_Comm comm, const int* flag, const arguments::FoundMessage& message,
                     const arguments::ReceivedStatus& status) {
        if (*flag) tell(recorder, timed, kept, source, tag, comm, message, status);
    }
};
struct ReceivesFound : RecordedOnly {
    static std::uint64_t keep(const void*, int, MPI_Datatype,
                              const arguments::FoundMessage& message, Ignored) {
        return *message;
    }
    static void tell(Recorder& recorder, const TimedCall& timed, std::uint64_t message, const void*,
                     int count, MPI_Datatype type, const arguments::FoundMessage&, Ignored) {
        recorder.blocking(timed, recorder.receive_of(message, bytes(count, type)));
    }
};
struct ReceivesFoundLater : RecordedOnly {
    static std::uint64_t keep(const void*, int, MPI_Datatype,
                              const arguments::FoundMessage& message, const arguments::Handles&) {
        return *message;
    }
    static void tell(Recorder& recorder, const TimedCall& timed, std::uint64_t message, const void*,
                     int count, MPI_Datatype type, const arguments::FoundMessage&,
                     const arguments::Handles& request) {
        recorder.initiated(timed, recorder.receive_of(message, bytes(count, type)), request[0]);
    }
};

}  // namespace lapwing::observe

// As LAPWING_ROUTINES in routines.hpp.
#define LAPWING_PROBE_ROUTINES(X)                                                \
    X(Probe, probe, Passes, 4, Number, Number, Comm, Status)                     \
    X(Iprobe, iprobe, Polls, 5, Number, Number, Comm, Result, Status)            \
    X(Mprobe, mprobe, Finds, 5, Number, Number, Comm, Found, Received)           \
    X(Improbe, improbe, Finds, 6, Number, Number, Comm, Result, Found, Received) \
    X(Mrecv, mrecv, ReceivesFound, 5, Out, Number, Type, Found, Status)          \
    X(Imrecv, imrecv, ReceivesFoundLater, 5, Out, Number, Type, Found, Asked)

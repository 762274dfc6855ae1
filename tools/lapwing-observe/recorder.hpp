#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "call_description.hpp"
#include "communicators.hpp"
#include "lapwing/observe/event_recorder.hpp"
#include "lapwing/observe/requests.hpp"
#include "lapwing/observe/table.hpp"
#include "lapwing/record/record.hpp"
#include "lapwing/record/stream.hpp"
#include "mpi_weak.hpp"

namespace lapwing::observe {

/// Writes down the calls of one rank, one after the other. Allocates only where a communicator is
/// new.
class Recorder {
  public:
    /// `file`: see `record::Stream`. `now`: seconds. `table`: where it counts what it has written,
    /// and what it could not. `most`: bytes; a rank that has more to write has written none.
    Recorder(int file, double now, Table& table, std::uint64_t most);

    /// A call was made. The next ones tell its kind. Only time outside of calls is computation.
    void passed(const TimedCall& timed);
    /// The program computes again: what recording took is no computation.
    void resumed(double now) { last_end_ = now; }

    /// A call that is complete when it returns.
    void blocking(const TimedCall& timed, const CallDescription& call);
    /// A call that made a request, which is under way when it returns.
    void initiated(const TimedCall& timed, const CallDescription& call, std::uint64_t handle);
    /// A persistent request was made, but not started.
    void prepared(const TimedCall& timed, const CallDescription& call, std::uint64_t handle);
    /// A call that started persistent requests.
    void started(const TimedCall& timed, std::span<const std::uint64_t> handles);
    /// A call that waited for requests, or tested them, and found these complete.
    template <class Handles>
    void completed(const TimedCall& timed, const Handles& handles) {
        std::size_t found = 0;
        for (const std::uint64_t handle : handles)
            if (take(handle, complete_[found])) ++found;
        waited(timed, found);
    }
    /// A request was freed, maybe before it was complete.
    void forgotten(const TimedCall& timed, std::uint64_t handle);
    /// A call of which only its time is recorded.
    void other(const TimedCall& timed);

    /// A probe found a message, from this rank of `comm` with this tag, for a later receive.
    void found(std::uint64_t message, MPI_Comm comm, int source, int tag);
    /// The receive of a message that a probe found, with room for so many bytes.
    CallDescription receive_of(std::uint64_t message, std::uint64_t room);

    /// A call of all ranks of `parent` that makes communicators. `told`: bytes that each rank tells
    /// all others to this end.
    void creates(const TimedCall& timed, MPI_Comm parent, std::uint64_t told);
    /// A communicator was made, by a call that all its ranks make.
    void created(MPI_Comm comm);
    /// One that is like `original` will exist when a request is complete.
    void created_later(MPI_Comm copy, MPI_Comm original);
    /// A communicator will be freed.
    void freed(MPI_Comm comm) { communicators_.erase(comm); }

    /// The program has ended.
    void finish(double now);
    [[nodiscard]] int file() const { return stream_.file(); }

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    /// A request that is under way, or may be started again.
    struct Followed {
        std::uint64_t handle = 0;
        // The numbers under way that have this handle, the oldest first.
        std::uint32_t first = none;
        std::uint32_t last = none;
        bool persistent = false;
        // What a persistent request does.
        bool sends = false;
        std::uint64_t communicator = 0;
        record::Message message{};
    };

    /// A message that a probe found.
    struct FoundMessage {
        bool waits = false;  ///< to be received
        std::uint64_t handle = 0;
        MPI_Comm comm{};
        int source = 0;
        int tag = 0;
    };

    record::Record describe(const CallDescription& call);
    void describe_collective(const CallDescription& call, const NumberedCommunicator& comm,
                             record::Record& record);
    const NumberedCommunicator& known(MPI_Comm comm);
    void tell(const NumberedCommunicator& comm);
    void write(const TimedCall& timed, record::Record& record);
    void write(const record::Record& record);
    std::uint32_t start(std::uint64_t handle);
    bool take(std::uint64_t handle, std::uint64_t& number);
    void waited(const TimedCall& timed, std::size_t found);

    Table& table_;
    std::uint64_t most_;
    record::Stream stream_;
    Communicators communicators_;
    double last_end_;      // when the last call ended
    double computed_ = 0;  // seconds since the last record
    std::vector<record::Run> runs_;
    std::vector<std::uint64_t> blocks_;

    std::array<FoundMessage, 64> found_{};

    RequestTable<Followed> requests_;
    std::array<std::uint32_t, RequestTable<Followed>::most> next_{};       // of the same handle
    std::array<std::uint64_t, RequestTable<Followed>::most / 64> used_{};  // bits: numbers
    std::array<std::uint64_t, RequestTable<Followed>::most> complete_{};
};

}  // namespace lapwing::observe

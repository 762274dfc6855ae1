#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "lapwing/io/file.hpp"
#include "lapwing/io/trace_event.hpp"
#include "lapwing/io/trace_json.hpp"
#include "lapwing/transport/mpi/byte_type.hpp"
#include "lapwing/transport/mpi/clock_offset.hpp"
#include "lapwing/transport/mpi/communicator.hpp"

namespace lapwing {

static_assert(std::is_trivially_copyable_v<Event>, "events travel as bytes");

/// All ranks' events, by rank, in the time of rank 0's clock; at rank 0 alone, nothing elsewhere.
/// Collective over `ranks`.
[[nodiscard]] inline std::vector<std::vector<Event>> gather_trace(const std::vector<Event>& events,
                                                                  const Communicator& ranks) {
    MPI_Comm all = ranks.get();
    const int rank = ranks.rank();
    if (rank != 0) {
        const double ahead = clock_offset(all, false, 0);
        std::vector<Event> shifted = events;
        for (Event& event : shifted) {
            event.start -= ahead;
            event.end -= ahead;
        }
        const std::uint64_t count = shifted.size();
        const ByteType bytes(count * sizeof(Event));
        check_mpi(MPI_Send(&count, 1, MPI_UINT64_T, 0, 0, all), "MPI_Send", 0);
        check_mpi(MPI_Send(shifted.data(), bytes.count(), bytes.type(), 0, 0, all), "MPI_Send", 0);
        return {};
    }
    std::vector<std::vector<Event>> gathered(static_cast<std::size_t>(ranks.size()));
    gathered[0] = events;
    for (int other = 1; other < ranks.size(); ++other) {
        clock_offset(all, true, other);
        std::uint64_t count = 0;
        check_mpi(MPI_Recv(&count, 1, MPI_UINT64_T, other, 0, all, MPI_STATUS_IGNORE), "MPI_Recv",
                  other);
        auto& theirs = gathered[static_cast<std::size_t>(other)];
        theirs.resize(count);
        const ByteType bytes(count * sizeof(Event));
        check_mpi(
            MPI_Recv(theirs.data(), bytes.count(), bytes.type(), other, 0, all, MPI_STATUS_IGNORE),
            "MPI_Recv", other);
    }
    return gathered;
}

/// Writes all ranks' events to the file `path`, at rank 0, for Perfetto to show; see `trace_json`.
/// Collective over `ranks`.
inline void write_trace(const std::string& path, const std::vector<Event>& events,
                        const Communicator& ranks) {
    const auto gathered = gather_trace(events, ranks);
    if (ranks.rank() == 0) write_file(path, trace_json(gathered));
}

}  // namespace lapwing

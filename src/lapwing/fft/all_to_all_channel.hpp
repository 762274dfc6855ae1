#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "lapwing/fft/route.hpp"
#include "lapwing/fft/row_type.hpp"
#include "lapwing/transport/collective/collective.hpp"
#include "lapwing/transport/memory.hpp"
#include "lapwing/transport/mpi_error.hpp"

namespace lapwing::fft {

/// Brings rows into the buffers of other ranks by all-to-alls.
class AllToAllChannel {
  public:
    using Request = Collective::Request;

    /// Collective over `ranks`. `bytes`: of this rank's buffer, and `row`, of a row.
    AllToAllChannel(MPI_Comm ranks, std::size_t bytes, std::size_t row)
        : transport_(ranks), ranks_(ranks), buffer_(memory_for(transport_, bytes)), row_(row) {}

    [[nodiscard]] std::byte* buffer() { return buffer_.data(); }

    /// Planes `first` to `first + tile` of every rank, as far as it has them, non-blocking. `data`:
    /// this rank's, those rows of all planes that one rank gets behind those of the rank before.
    [[nodiscard]] Request start(const Route& route, std::size_t first, std::size_t tile,
                                const void* data) {
        const Counts counts(route, transport_.rank(), first, tile);
        return transport_.alltoallv(data, {counts.sent, counts.sent_begins}, buffer(),
                                    {counts.received, counts.received_begins}, row_.get());
    }
    /// All planes of every rank, by one blocking call.
    void exchange(const Route& route, const void* data) {
        const Counts counts(route, transport_.rank(), 0, route.a().most());
        const auto numbers = [](const std::vector<std::size_t>& all) {
            std::vector<int> result(all.size());
            std::transform(all.begin(), all.end(), result.begin(), Collective::checked_count);
            return result;
        };
        check_mpi(
            MPI_Alltoallv(data, numbers(counts.sent).data(), numbers(counts.sent_begins).data(),
                          row_.get(), buffer(), numbers(counts.received).data(),
                          numbers(counts.received_begins).data(), row_.get(), ranks_.get()),
            "MPI_Alltoallv");
    }

  private:
    /// By rank, in rows: how many and where they begin.
    struct Counts {
        std::vector<std::size_t> sent, sent_begins, received, received_begins;

        Counts(const Route& route, int me, std::size_t first, std::size_t tile) {
            const auto planes = [&](int rank) {
                const std::size_t all = route.a().count(rank);
                return all <= first ? 0 : std::min(tile, all - first);
            };
            const std::size_t mine = planes(me);
            const std::size_t rows = route.b().count(me);
            for (int rank = 0; rank < route.a().ranks(); ++rank) {
                sent.push_back(mine * route.b().count(rank));
                sent_begins.push_back(mine * route.b().first(rank));
                const std::size_t theirs = planes(rank) * rows;
                received.push_back(theirs);
                received_begins.push_back(theirs == 0 ? 0 : (route.a().first(rank) + first) * rows);
            }
        }
    };

    Collective transport_;
    Communicator ranks_;  ///< for the blocking call
    decltype(memory_for(std::declval<Collective&>(), 0)) buffer_;
    RowType row_;
};

}  // namespace lapwing::fft

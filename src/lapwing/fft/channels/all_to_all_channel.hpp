#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

#include "lapwing/compute/storage.hpp"
#include "lapwing/fft/channels/part_type.hpp"
#include "lapwing/fft/channels/row_type.hpp"
#include "lapwing/fft/distribution/route.hpp"
#include "lapwing/transport/collective/collective.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing::fft {

/// Sends to the buffers of other ranks by all-to-alls, among the ranks of a row or a column of the
/// grid.
class AllToAllChannel {
  public:
    using Request = Collective::Request;

    /// Collective over `ranks`. `bytes`: of this rank's buffer.
    AllToAllChannel(const Communicator& ranks, const Grid& grid, std::size_t bytes)
        : row_(part_of(ranks, grid.row(ranks.rank()))),
          column_(part_of(ranks, grid.column(ranks.rank()))),
          rows_(row_.get()),
          columns_(column_.get()),
          buffer_(bytes) {}

    [[nodiscard]] std::byte* buffer() { return buffer_.data(); }

    /// Starts a non-blocking all-to-all of planes `first` to `first + tile` of every member of the
    /// route's group, as far as it has them. `data`: the planes of member `me`, packed: the parts
    /// for one rank, of all these planes, are contiguous, in the order of the ranks.
    [[nodiscard]] Request start(const Route& route, int me, std::size_t first, std::size_t tile,
                                const void* data) {
        const Counts counts(route, me, first, tile);
        return route.group().in_row ? start(rows_, route, counts, data)
                                    : start(columns_, route, counts, data);
    }
    /// Exchanges all planes of every rank, packed in the same way, by one blocking call.
    void exchange(const Route& route, int me, const void* data) {
        const Counts counts(route, me, 0, route.most_planes());
        const auto numbers = [](const std::vector<std::size_t>& all) {
            std::vector<int> result(all.size());
            std::transform(all.begin(), all.end(), result.begin(), collective::checked_count);
            return result;
        };
        check_mpi(
            MPI_Alltoallv(data, numbers(counts.sent).data(), numbers(counts.sent_begins).data(),
                          type(route), buffer(), numbers(counts.received).data(),
                          numbers(counts.received_begins).data(), type(route),
                          (route.group().in_row ? row_ : column_).get()),
            "MPI_Alltoallv");
    }

    /// Exchanges all planes of every rank by one blocking call. `data`: the planes as they are
    /// computed, in which the parts for one rank are a plane apart.
    void exchange_by_type(const Route& route, int me, const void* data) {
        std::vector<PartType> types;
        types.reserve(2 * static_cast<std::size_t>(route.ranks()));
        for (int rank = 0; rank < route.ranks(); ++rank)
            types.emplace_back(type(route),
                               PartType::Layout{route.planes(me), route.part(me, rank),
                                                route.plane(me), route.part_begin(me, rank)},
                               route.row());
        for (int rank = 0; rank < route.ranks(); ++rank) {
            const std::size_t part = route.part(rank, me);
            types.emplace_back(
                type(route),
                PartType::Layout{route.planes(rank), part, part, route.place(rank, me, 0)},
                route.row());
        }
        std::vector<int> counts;
        std::vector<MPI_Datatype> handles;
        for (const PartType& each : types) {
            counts.push_back(each.count());
            handles.push_back(each.get());
        }
        const std::vector<int> nowhere(counts.size());  // the types contain the displacements
        const auto ranks = static_cast<std::size_t>(route.ranks());
        check_mpi(MPI_Alltoallw(data, counts.data(), nowhere.data(), handles.data(), buffer(),
                                counts.data() + ranks, nowhere.data(), handles.data() + ranks,
                                (route.group().in_row ? row_ : column_).get()),
                  "MPI_Alltoallw");
    }

  private:
    /// Counts and displacements by rank, in units of the route's row.
    struct Counts {
        std::vector<std::size_t> sent, sent_begins, received, received_begins;

        Counts(const Route& route, int me, std::size_t first, std::size_t tile) {
            const auto planes = [&](int rank) {
                const std::size_t all = route.planes(rank);
                return all <= first ? 0 : std::min(tile, all - first);
            };
            const std::size_t unit = std::max(route.row(), std::size_t{1});
            for (int rank = 0; rank < route.ranks(); ++rank) {
                sent.push_back(planes(me) * route.part(me, rank) / unit);
                sent_begins.push_back(planes(me) * route.part_begin(me, rank) / unit);
                const std::size_t theirs = planes(rank) * route.part(rank, me) / unit;
                received.push_back(theirs);
                received_begins.push_back(theirs == 0 ? 0 : route.place(rank, me, first) / unit);
            }
        }
    };

    static Communicator part_of(const Communicator& ranks, int color) {
        MPI_Comm part = MPI_COMM_NULL;
        check_mpi(MPI_Comm_split(ranks.get(), color, ranks.rank(), &part), "MPI_Comm_split");
        Communicator owned(part);
        MPI_Comm_free(&part);
        return owned;
    }
    [[nodiscard]] MPI_Datatype type(const Route& route) {
        const std::size_t bytes = std::max(route.row(), std::size_t{1});
        return types_.try_emplace(bytes, bytes).first->second.get();
    }
    [[nodiscard]] Request start(Collective& among, const Route& route, const Counts& counts,
                                const void* data) {
        return among.alltoallv(data, {counts.sent, counts.sent_begins}, buffer(),
                               {counts.received, counts.received_begins}, type(route));
    }

    // Separate communicators: MPI must not match blocking and non-blocking calls.
    Communicator row_;
    Communicator column_;
    Collective rows_;
    Collective columns_;
    Storage<std::byte> buffer_;
    std::map<std::size_t, RowType> types_;  ///< by bytes of a row
};

}  // namespace lapwing::fft

#pragma once

#include <mpi.h>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <map>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/compute/clock.hpp"
#include "lapwing/transport/byte_type.hpp"
#include "lapwing/transport/communicator.hpp"
#include "lapwing/transport/request.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// Non-blocking collectives. Each is initiated by all ranks, in the same order, and returns a
/// request; its memory is in use until that is complete.
///
/// A message between two ranks (`send` and `receive`) is a broadcast among the two. Collectives
/// have no tags: messages from one rank to another meet in the order in which they are initiated.
class Collective {
  public:
    /// What is under way, and the counts that MPI reads until it is complete.
    class Request {
      public:
        Request() = default;
        Request(std::vector<int> counts, MpiRequest request)
            : counts_(std::move(counts)), request_(std::move(request)) {}

        bool test() { return request_.test(); }
        void wait() { request_.wait(); }

      private:
        std::vector<int> counts_;  // destroyed after the request, which waits
        MpiRequest request_;
    };

    /// Messages meet in their order, whatever their tags.
    static constexpr bool in_order = true;

    /// Collective over `original`. `partners`: the ranks this one exchanges messages with, which
    /// must name this one too; needed where there are more ranks than two.
    explicit Collective(MPI_Comm original = MPI_COMM_WORLD, std::vector<int> partners = {})
        : communicator_(original) {
        if (partners.empty() && size() == 2) partners = {1 - rank()};
        connect(std::move(partners));
    }

    /// Rank r's `bytes_per_rank` bytes for each rank, `from` + rank times that, arrive there in
    /// `into` + r times that.
    Request alltoall(const void* from, void* into, std::size_t bytes_per_rank) {
        const ByteType data(bytes_per_rank);
        return start("MPI_Ialltoall", {}, [&](const int*, MPI_Request* handle) {
            return MPI_Ialltoall(from, data.count(), data.type(), into, data.count(), data.type(),
                                 communicator_.get(), handle);
        });
    }
    /// `alltoall` with `sent[r]` bytes for rank r and `received[r]` from it, those of each rank
    /// behind those of the one before.
    Request alltoallv(const void* from, std::span<const std::size_t> sent, void* into,
                      std::span<const std::size_t> received) {
        const auto ranks = static_cast<std::size_t>(size());
        std::vector<int> counts;
        append_counts(counts, sent);
        append_counts(counts, received);
        return start("MPI_Ialltoallv", std::move(counts), [&](const int* c, MPI_Request* handle) {
            return MPI_Ialltoallv(from, c, c + ranks, MPI_BYTE, into, c + 2 * ranks, c + 3 * ranks,
                                  MPI_BYTE, communicator_.get(), handle);
        });
    }
    /// Of a buffer, for each rank: how many elements, and how many there are before them.
    struct Parts {
        std::span<const std::size_t> counts;
        std::span<const std::size_t> begins;
    };
    /// `alltoallv` of elements of a type of the caller's, from and to where they lie.
    Request alltoallv(const void* from, const Parts& sent, void* into, const Parts& received,
                      MPI_Datatype element) {
        const auto ranks = static_cast<std::size_t>(size());
        std::vector<int> counts;
        for (const auto& numbers : {sent.counts, sent.begins, received.counts, received.begins}) {
            if (numbers.size() != ranks)
                throw std::invalid_argument(
                    "collective: needs one number of elements for each rank");
            for (const std::size_t number : numbers) counts.push_back(checked_count(number));
        }
        return start("MPI_Ialltoallv", std::move(counts), [&](const int* c, MPI_Request* handle) {
            return MPI_Ialltoallv(from, c, c + ranks, element, into, c + 2 * ranks, c + 3 * ranks,
                                  element, communicator_.get(), handle);
        });
    }
    /// `bytes` of rank `root`, in the same place on every rank's `data`.
    Request broadcast(void* data, std::size_t bytes, int root) {
        return broadcast(communicator_, data, bytes, root);
    }
    /// Every rank's `bytes_per_rank` bytes, those of rank r in `into` + r times that, on every
    /// rank.
    Request allgather(const void* from, void* into, std::size_t bytes_per_rank) {
        const ByteType data(bytes_per_rank);
        return start("MPI_Iallgather", {}, [&](const int*, MPI_Request* handle) {
            return MPI_Iallgather(from, data.count(), data.type(), into, data.count(), data.type(),
                                  communicator_.get(), handle);
        });
    }
    /// `allgather` of `bytes` from this rank, `received[r]` from rank r, each behind the one
    /// before.
    Request allgatherv(const void* from, std::size_t bytes, void* into,
                       std::span<const std::size_t> received) {
        const ByteType data(bytes);
        const auto ranks = static_cast<std::size_t>(size());
        std::vector<int> counts;
        append_counts(counts, received);
        return start("MPI_Iallgatherv", std::move(counts), [&](const int* c, MPI_Request* handle) {
            return MPI_Iallgatherv(from, data.count(), data.type(), into, c, c + ranks, MPI_BYTE,
                                   communicator_.get(), handle);
        });
    }
    /// `allgather` for rank `root` alone; `into` is not used elsewhere.
    Request gather(const void* from, void* into, std::size_t bytes_per_rank, int root) {
        const ByteType data(bytes_per_rank);
        return start("MPI_Igather", {}, [&](const int*, MPI_Request* handle) {
            return MPI_Igather(from, data.count(), data.type(), into, data.count(), data.type(),
                               root, communicator_.get(), handle);
        });
    }
    /// `gather` of `bytes` from this rank, `received[r]` from rank r, each behind the one before.
    /// `into` and `received` are not used where this is not `root`.
    Request gatherv(const void* from, std::size_t bytes, void* into,
                    std::span<const std::size_t> received, int root) {
        const ByteType data(bytes);
        std::vector<int> counts;
        if (rank() == root) append_counts(counts, received);
        const std::size_t ranks = counts.size() / 2;
        return start("MPI_Igatherv", std::move(counts), [&](const int* c, MPI_Request* handle) {
            return MPI_Igatherv(from, data.count(), data.type(), into, c, c + ranks, MPI_BYTE, root,
                                communicator_.get(), handle);
        });
    }
    /// Rank `root`'s `bytes_per_rank` bytes for each rank, `from` + rank times that. `from` is not
    /// used elsewhere.
    Request scatter(const void* from, void* into, std::size_t bytes_per_rank, int root) {
        const ByteType data(bytes_per_rank);
        return start("MPI_Iscatter", {}, [&](const int*, MPI_Request* handle) {
            return MPI_Iscatter(from, data.count(), data.type(), into, data.count(), data.type(),
                                root, communicator_.get(), handle);
        });
    }
    /// `scatter` of `sent[r]` bytes to rank r, those of each rank behind those of the one before;
    /// `bytes` of them here. `from` and `sent` are not used where this is not `root`.
    Request scatterv(const void* from, std::span<const std::size_t> sent, void* into,
                     std::size_t bytes, int root) {
        const ByteType data(bytes);
        std::vector<int> counts;
        if (rank() == root) append_counts(counts, sent);
        const std::size_t ranks = counts.size() / 2;
        return start("MPI_Iscatterv", std::move(counts), [&](const int* c, MPI_Request* handle) {
            return MPI_Iscatterv(from, c, c + ranks, MPI_BYTE, into, data.count(), data.type(),
                                 root, communicator_.get(), handle);
        });
    }
    /// `operation` over all ranks' `from`, element by element, in every rank's `into`.
    Request allreduce(std::span<const double> from, double* into, MPI_Op operation = MPI_SUM) {
        const int count = checked_count(from.size());
        return start("MPI_Iallreduce", {}, [&](const int*, MPI_Request* handle) {
            return MPI_Iallreduce(from.data(), into, count, MPI_DOUBLE, operation,
                                  communicator_.get(), handle);
        });
    }
    /// `allreduce` for rank `root` alone; `into` is not used elsewhere.
    Request reduce(std::span<const double> from, double* into, int root,
                   MPI_Op operation = MPI_SUM) {
        const int count = checked_count(from.size());
        return start("MPI_Ireduce", {}, [&](const int*, MPI_Request* handle) {
            return MPI_Ireduce(from.data(), into, count, MPI_DOUBLE, operation, root,
                               communicator_.get(), handle);
        });
    }

    /// `operation` over all ranks' `from`, element by element; rank r gets the r-th part of the
    /// result, of `from.size()` over the number of ranks, in `into`.
    Request reduce_scatter_block(std::span<const double> from, double* into,
                                 MPI_Op operation = MPI_SUM) {
        const auto ranks = static_cast<std::size_t>(size());
        if (from.size() % ranks != 0)
            throw std::invalid_argument("collective: needs as many elements for each rank");
        const int count = checked_count(from.size() / ranks);
        return start("MPI_Ireduce_scatter_block", {}, [&](const int*, MPI_Request* handle) {
            return MPI_Ireduce_scatter_block(from.data(), into, count, MPI_DOUBLE, operation,
                                             communicator_.get(), handle);
        });
    }
    /// The same, rank r getting `received[r]` elements.
    Request reduce_scatter(std::span<const double> from, double* into,
                           std::span<const std::size_t> received, MPI_Op operation = MPI_SUM) {
        std::vector<int> counts;
        double nowhere = 0;
        append_counts(counts, received);
        if (std::accumulate(received.begin(), received.end(), std::size_t{0}) != from.size())
            throw std::invalid_argument("collective: the parts are not all there is to reduce");
        return start(
            "MPI_Ireduce_scatter", std::move(counts), [&](const int* c, MPI_Request* handle) {
                // SMPI refuses to put nothing nowhere.
                return MPI_Ireduce_scatter(from.data(), into == nullptr ? &nowhere : into, c,
                                           MPI_DOUBLE, operation, communicator_.get(), handle);
            });
    }

    /// To a partner. `tag` is not looked at: see above.
    Request send(const void* from, std::size_t bytes, int peer, [[maybe_unused]] int tag) {
        // The root of a broadcast only reads.
        return broadcast(channels(peer).there, const_cast<void*>(from), bytes,
                         rank() < peer ? 0 : 1);
    }
    Request receive(void* into, std::size_t bytes, int peer, [[maybe_unused]] int tag) {
        return broadcast(channels(peer).back, into, bytes, rank() < peer ? 1 : 0);
    }
    [[nodiscard]] static double now() { return lapwing::now(); }

    [[nodiscard]] int rank() const { return communicator_.rank(); }
    [[nodiscard]] int size() const { return communicator_.size(); }
    /// `count` as MPI has it. Throws `std::invalid_argument` where that is too many.
    [[nodiscard]] static int checked_count(std::size_t count) {
        if (count > INT_MAX)
            throw std::invalid_argument("collective: " + std::to_string(count) +
                                        " is more than MPI can count here");
        return static_cast<int>(count);
    }

  private:
    /// Two ranks: one communicator for each direction, so that what one sends need not be initiated
    /// in turn with what the other does.
    struct Channels {
        Communicator there;
        Communicator back;
    };

    void connect(std::vector<int> partners) {
        MPI_Group all = MPI_GROUP_NULL;
        check_mpi(MPI_Comm_group(communicator_.get(), &all), "MPI_Comm_group");
        // Pairs are made in one order that all ranks agree on, or they would wait in a circle: by
        // the lower of the two ranks, then the higher.
        std::sort(partners.begin(), partners.end());
        partners.erase(std::unique(partners.begin(), partners.end()), partners.end());
        for (const int peer : partners) {
            const bool lower = rank() < peer;
            const int ranks[] = {lower ? rank() : peer, lower ? peer : rank()};
            MPI_Group pair = MPI_GROUP_NULL;
            MPI_Comm both = MPI_COMM_NULL;
            check_mpi(MPI_Group_incl(all, 2, ranks, &pair), "MPI_Group_incl", peer);
            check_mpi(MPI_Comm_create_group(communicator_.get(), pair, 0, &both),
                      "MPI_Comm_create_group", peer);
            Communicator up(both);
            Communicator down(both);
            MPI_Comm_free(&both);
            MPI_Group_free(&pair);
            channels_.emplace(peer, lower ? Channels{std::move(up), std::move(down)}
                                          : Channels{std::move(down), std::move(up)});
        }
        MPI_Group_free(&all);
    }
    [[nodiscard]] const Channels& channels(int peer) const {
        const auto found = channels_.find(peer);
        if (found == channels_.end())
            throw std::invalid_argument("collective: rank " + std::to_string(peer) +
                                        " is not one of the partners that were given");
        return found->second;
    }
    Request broadcast(const Communicator& among, void* data, std::size_t bytes, int root) {
        const ByteType type(bytes);
        return start("MPI_Ibcast", {}, [&](const int*, MPI_Request* handle) {
            return MPI_Ibcast(data, type.count(), type.type(), root, among.get(), handle);
        });
    }
    /// `initiate(counts, handle)` calls MPI; `counts` stay where they are until it is complete.
    template <class Initiate>
    static Request start(const char* call, std::vector<int> counts, Initiate&& initiate) {
        MPI_Request handle = MPI_REQUEST_NULL;
        check_mpi(initiate(counts.data(), &handle), call);
        return {std::move(counts), MpiRequest(handle, -1)};
    }
    /// Appends what MPI wants of the parts of a buffer: their lengths, then where they begin.
    void append_counts(std::vector<int>& counts, std::span<const std::size_t> lengths) const {
        if (lengths.size() != static_cast<std::size_t>(size()))
            throw std::invalid_argument("collective: needs one number of bytes for each rank");
        for (const std::size_t length : lengths) counts.push_back(checked_count(length));
        std::size_t begin = 0;
        for (const std::size_t length : lengths) {
            counts.push_back(checked_count(begin));
            begin += length;
        }
    }
    Communicator communicator_;
    std::map<int, Channels> channels_;  ///< by partner
};

static_assert(Transport<Collective>);

}  // namespace lapwing

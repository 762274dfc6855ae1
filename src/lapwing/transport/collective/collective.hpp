#pragma once

#include <mpi.h>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lapwing/compute/clock.hpp"
#include "lapwing/transport/collective/pair_channels.hpp"
#include "lapwing/transport/collective/rank_parts.hpp"
#include "lapwing/transport/mpi/byte_type.hpp"
#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/mpi/request.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// MPI's non-blocking collectives. All ranks initiate each of them, in the same order. It returns a
/// request; its memory is in use until that is complete.
///
/// As a transport with messages it sends by a broadcast among two ranks. Collectives have no tags:
/// messages from one rank to another meet in the order in which they are initiated.
///
/// Any number of bytes or elements will do, also beyond 2^31, where MPI's counts end. `alltoallv`,
/// `gatherv` and `scatterv` of bytes are lists of messages, as MPI libraries run them. Ranks know
/// different sizes, so they could not all choose another call for large ones.
class Collective {
  public:
    /// A collective under way.
    class Request {
      public:
        Request() = default;
        Request(std::vector<int> counts, MpiRequest request)
            : counts_(std::move(counts)), request_(std::move(request)) {}

        bool test() {
            for (; !others_.empty(); others_.pop_back())
                if (!others_.back().test()) return false;
            return request_.test();
        }
        void wait() {
            for (; !others_.empty(); others_.pop_back()) others_.back().wait();
            request_.wait();
        }

      private:
        friend Collective;

        std::vector<int> counts_;  ///< MPI reads them; destroyed after the requests, which wait
        MpiRequest request_;
        std::vector<MpiRequest> others_;  ///< where it takes several calls
    };

    /// Messages meet in the order of initiation, whatever their tags.
    static constexpr bool in_order = true;

    /// Collective over `original`. `partners`: the ranks that this one exchanges messages with,
    /// which name this one, too; of two ranks, each is the other's. `largest`: the largest count
    /// that MPI is given, the same on all ranks; tests make it smaller.
    explicit Collective(MPI_Comm original = MPI_COMM_WORLD, std::vector<int> partners = {},
                        std::size_t largest = INT_MAX)
        : communicator_(original),
          largest_(largest),
          channels_(communicator_, or_the_other(std::move(partners))) {}

    /// Sends the i-th `bytes_per_rank` bytes of `from` to rank i, and receives those of rank i as
    /// the i-th of `into`.
    Request alltoall(const void* from, void* into, std::size_t bytes_per_rank) {
        const ByteType data(bytes_per_rank, largest_);
        return start("MPI_Ialltoall", nobody, {}, [&](const int*, MPI_Request* handle) {
            return MPI_Ialltoall(from, data.count(), data.type(), into, data.count(), data.type(),
                                 communicator_.get(), handle);
        });
    }
    /// `alltoall` of `sent[r]` bytes to rank r and `received[r]` bytes from it. Parts lie one
    /// behind the other.
    Request alltoallv(const void* from, std::span<const std::size_t> sent, void* into,
                      std::span<const std::size_t> received) {
        check_lengths(sent);
        check_lengths(received);
        Request request;
        receive_parts(request, into, received);
        send_parts(request, from, sent);
        collective::copy_own_part(collective::part_of(from, sent, rank()),
                                  collective::part_of(into, received, rank()));
        return request;
    }
    /// The parts of a buffer by rank: how many elements each has, and at which element it begins.
    struct Parts {
        std::span<const std::size_t> counts;
        std::span<const std::size_t> begins;
    };
    /// `alltoallv` by MPI's own call, of elements of any type, at any place in the buffers. Throws
    /// `std::invalid_argument` beyond 2^31 elements, which have to be larger ones then.
    Request alltoallv(const void* from, const Parts& sent, void* into, const Parts& received,
                      MPI_Datatype element) {
        const auto ranks = static_cast<std::size_t>(size());
        std::vector<int> counts;
        for (const auto& numbers : {sent.counts, sent.begins, received.counts, received.begins}) {
            if (numbers.size() != ranks)
                throw std::invalid_argument(
                    "collective: needs one number of elements for each rank");
            for (const std::size_t number : numbers)
                counts.push_back(collective::checked_count(number));
        }
        return start("MPI_Ialltoallv", nobody, std::move(counts),
                     [&](const int* c, MPI_Request* handle) {
                         return MPI_Ialltoallv(from, c, c + ranks, element, into, c + 2 * ranks,
                                               c + 3 * ranks, element, communicator_.get(), handle);
                     });
    }
    /// Copies `bytes` of rank `root` to every rank's `data`.
    Request broadcast(void* data, std::size_t bytes, int root) {
        return broadcast(communicator_, data, bytes, root, root);
    }
    /// Gathers every rank's `bytes_per_rank` bytes on every rank, in the order of the ranks.
    Request allgather(const void* from, void* into, std::size_t bytes_per_rank) {
        const ByteType data(bytes_per_rank, largest_);
        return start("MPI_Iallgather", nobody, {}, [&](const int*, MPI_Request* handle) {
            return MPI_Iallgather(from, data.count(), data.type(), into, data.count(), data.type(),
                                  communicator_.get(), handle);
        });
    }
    /// `allgather` of `bytes` from this rank and `received[r]` bytes from rank r.
    Request allgatherv(const void* from, std::size_t bytes, void* into,
                       std::span<const std::size_t> received) {
        check_lengths(received);
        if (std::accumulate(received.begin(), received.end(), std::size_t{0}) > largest_) {
            Request request;
            receive_parts(request, into, received);
            for (int other = 0; other < size(); ++other)
                if (other != rank()) send_part(request, from, bytes, other);
            collective::copy_own_part({from, bytes}, collective::part_of(into, received, rank()));
            return request;
        }
        const ByteType data(bytes, largest_);
        const auto ranks = static_cast<std::size_t>(size());
        std::vector<int> counts;
        collective::append_counts(counts, received);
        return start("MPI_Iallgatherv", nobody, std::move(counts),
                     [&](const int* c, MPI_Request* handle) {
                         return MPI_Iallgatherv(from, data.count(), data.type(), into, c, c + ranks,
                                                MPI_BYTE, communicator_.get(), handle);
                     });
    }
    /// `allgather` at rank `root` alone. `into` is not used elsewhere.
    Request gather(const void* from, void* into, std::size_t bytes_per_rank, int root) {
        const ByteType data(bytes_per_rank, largest_);
        return start("MPI_Igather", root, {}, [&](const int*, MPI_Request* handle) {
            return MPI_Igather(from, data.count(), data.type(), into, data.count(), data.type(),
                               root, communicator_.get(), handle);
        });
    }
    /// `gather` of `bytes` from this rank and `received[r]` bytes from rank r. `into` and
    /// `received` are not used elsewhere than at `root`.
    Request gatherv(const void* from, std::size_t bytes, void* into,
                    std::span<const std::size_t> received, int root) {
        Request request;
        if (rank() != root) {
            send_part(request, from, bytes, root);
            return request;
        }
        check_lengths(received);
        receive_parts(request, into, received);
        collective::copy_own_part({from, bytes}, collective::part_of(into, received, root));
        return request;
    }
    /// Sends the i-th `bytes_per_rank` bytes of rank `root` to rank i. `from` is not used elsewhere
    /// than at `root`.
    Request scatter(const void* from, void* into, std::size_t bytes_per_rank, int root) {
        const ByteType data(bytes_per_rank, largest_);
        return start("MPI_Iscatter", root, {}, [&](const int*, MPI_Request* handle) {
            return MPI_Iscatter(from, data.count(), data.type(), into, data.count(), data.type(),
                                root, communicator_.get(), handle);
        });
    }
    /// `scatter` of `sent[r]` bytes to rank r; `bytes` of them come here. `from` and `sent` are not
    /// used elsewhere than at `root`.
    Request scatterv(const void* from, std::span<const std::size_t> sent, void* into,
                     std::size_t bytes, int root) {
        Request request;
        if (rank() != root) {
            receive_part(request, into, bytes, root);
            return request;
        }
        check_lengths(sent);
        send_parts(request, from, sent);
        collective::copy_own_part(collective::part_of(from, sent, root), {into, bytes});
        return request;
    }
    /// Combines all ranks' `from` by `operation`, element by element, into every rank's `into`.
    Request allreduce(std::span<const double> from, double* into, MPI_Op operation = MPI_SUM) {
        return in_parts(from.size(), [&](std::size_t first, int count) {
            return start("MPI_Iallreduce", nobody, {}, [&](const int*, MPI_Request* handle) {
                return MPI_Iallreduce(from.data() + first, into + first, count, MPI_DOUBLE,
                                      operation, communicator_.get(), handle);
            });
        });
    }
    /// `allreduce` at rank `root` alone. `into` is not used elsewhere.
    Request reduce(std::span<const double> from, double* into, int root,
                   MPI_Op operation = MPI_SUM) {
        const bool mine = rank() == root;
        return in_parts(from.size(), [&](std::size_t first, int count) {
            return start("MPI_Ireduce", root, {}, [&](const int*, MPI_Request* handle) {
                return MPI_Ireduce(from.data() + first, mine ? into + first : into, count,
                                   MPI_DOUBLE, operation, root, communicator_.get(), handle);
            });
        });
    }

    /// Combines all ranks' `from` by `operation`, element by element, and gives rank r the r-th
    /// part of the result. Parts are equal: throws `std::invalid_argument` unless the ranks divide
    /// the elements.
    Request reduce_scatter_block(std::span<const double> from, double* into,
                                 MPI_Op operation = MPI_SUM) {
        const auto ranks = static_cast<std::size_t>(size());
        if (from.size() % ranks != 0)
            throw std::invalid_argument("collective: needs as many elements for each rank");
        const std::size_t each = from.size() / ranks;
        if (from.size() > largest_)
            return reduce_parts(from, into, std::vector<std::size_t>(ranks, each), operation);
        return start("MPI_Ireduce_scatter_block", nobody, {}, [&](const int*, MPI_Request* handle) {
            return MPI_Ireduce_scatter_block(from.data(), into, static_cast<int>(each), MPI_DOUBLE,
                                             operation, communicator_.get(), handle);
        });
    }
    /// The same, where rank r gets `received[r]` elements.
    Request reduce_scatter(std::span<const double> from, double* into,
                           std::span<const std::size_t> received, MPI_Op operation = MPI_SUM) {
        check_lengths(received);
        if (std::accumulate(received.begin(), received.end(), std::size_t{0}) != from.size())
            throw std::invalid_argument("collective: the parts are not all there is to reduce");
        if (from.size() > largest_) return reduce_parts(from, into, received, operation);
        std::vector<int> counts;
        double nowhere = 0;
        for (const std::size_t count : received) counts.push_back(static_cast<int>(count));
        return start("MPI_Ireduce_scatter", nobody, std::move(counts),
                     [&](const int* c, MPI_Request* handle) {
                         // SMPI refuses to put nothing nowhere.
                         return MPI_Ireduce_scatter(from.data(), into == nullptr ? &nowhere : into,
                                                    c, MPI_DOUBLE, operation, communicator_.get(),
                                                    handle);
                     });
    }

    /// Sends to a partner. The tag has no meaning, see above.
    Request send(const void* from, std::size_t bytes, int peer, [[maybe_unused]] int tag) {
        // MPI only reads at the root of a broadcast.
        return broadcast(channels_.with(peer).outgoing, const_cast<void*>(from), bytes,
                         rank() < peer ? 0 : 1, peer);
    }
    Request receive(void* into, std::size_t bytes, int peer, [[maybe_unused]] int tag) {
        return broadcast(channels_.with(peer).incoming, into, bytes, rank() < peer ? 1 : 0, peer);
    }
    [[nodiscard]] static double now() { return lapwing::now(); }

    [[nodiscard]] int rank() const { return communicator_.rank(); }
    [[nodiscard]] int size() const { return communicator_.size(); }

  private:
    /// Two ranks are partners without being named.
    [[nodiscard]] std::vector<int> or_the_other(std::vector<int> partners) const {
        if (partners.empty() && size() == 2) return {1 - rank()};
        return partners;
    }
    /// From rank `root` of `among`. `peer`: the rank it is about, for error messages.
    Request broadcast(const Communicator& among, void* data, std::size_t bytes, int root,
                      int peer) const {
        const ByteType type(bytes, largest_);
        return start("MPI_Ibcast", peer, {}, [&](const int*, MPI_Request* handle) {
            return MPI_Ibcast(data, type.count(), type.type(), root, among.get(), handle);
        });
    }
    /// Initiates a collective: `initiate(counts, handle)` calls MPI. `counts` stay where they are
    /// until it is complete. `call` and `peer`, the rank that it is about: for error messages.
    template <class Initiate>
    static Request start(const char* call, int peer, std::vector<int> counts, Initiate&& initiate) {
        MPI_Request handle = MPI_REQUEST_NULL;
        check_mpi(initiate(counts.data(), &handle), call, peer);
        return {std::move(counts), MpiRequest(handle, peer)};
    }
    void check_lengths(std::span<const std::size_t> lengths) const {
        if (lengths.size() != static_cast<std::size_t>(size()))
            throw std::invalid_argument("collective: needs one number for each rank");
    }
    void send_part(Request& request, const void* from, std::size_t bytes, int peer) {
        if (bytes == 0) return;
        const ByteType data(bytes, largest_);
        MPI_Request handle = MPI_REQUEST_NULL;
        check_mpi(
            MPI_Isend(from, data.count(), data.type(), peer, any, communicator_.get(), &handle),
            "MPI_Isend", peer);
        request.others_.emplace_back(handle, peer);
    }
    void receive_part(Request& request, void* into, std::size_t bytes, int peer) {
        if (bytes == 0) return;
        const ByteType data(bytes, largest_);
        MPI_Request handle = MPI_REQUEST_NULL;
        check_mpi(
            MPI_Irecv(into, data.count(), data.type(), peer, any, communicator_.get(), &handle),
            "MPI_Irecv", peer);
        request.others_.emplace_back(handle, peer);
    }
    /// Sends to all others, the next rank first, so that not all send to the same one.
    void send_parts(Request& request, const void* from, std::span<const std::size_t> lengths) {
        for (int step = 1; step < size(); ++step) {
            const int peer = (rank() + step) % size();
            const auto part = collective::part_of(from, lengths, peer);
            send_part(request, part.data, part.size, peer);
        }
    }
    void receive_parts(Request& request, void* into, std::span<const std::size_t> lengths) {
        for (int step = 1; step < size(); ++step) {
            const int peer = (rank() + size() - step) % size();
            const auto part = collective::part_of(into, lengths, peer);
            receive_part(request, part.data, part.size, peer);
        }
    }
    /// Initiates a collective in parts that MPI can count: calls `initiate(first, count)` for each.
    template <class Initiate>
    Request in_parts(std::size_t count, Initiate&& initiate) {
        Request all = initiate(std::size_t{0}, static_cast<int>(std::min(count, largest_)));
        for (std::size_t first = largest_; first < count; first += largest_)
            all.others_.push_back(std::move(
                initiate(first, static_cast<int>(std::min(count - first, largest_))).request_));
        return all;
    }
    /// Reduces part by part, each at the rank that gets it.
    Request reduce_parts(std::span<const double> from, double* into,
                         std::span<const std::size_t> lengths, MPI_Op operation) {
        Request all;
        std::size_t begin = 0;
        for (int root = 0; root < size(); ++root) {
            const std::size_t length = lengths[static_cast<std::size_t>(root)];
            if (length == 0) continue;
            Request one = reduce(from.subspan(begin, length), into, root, operation);
            all.others_.push_back(std::move(one.request_));
            std::ranges::move(one.others_, std::back_inserter(all.others_));
            begin += length;
        }
        return all;
    }

    static constexpr int any = 0;  ///< tag of all messages: they meet in the order of initiation
    static constexpr int nobody = -1;  ///< peer of a call that is about all ranks

    Communicator communicator_;
    std::size_t largest_;  ///< count that MPI is given
    PairChannels channels_;
};

static_assert(Transport<Collective>);

}  // namespace lapwing

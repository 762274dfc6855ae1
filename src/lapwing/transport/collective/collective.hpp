#pragma once

#include <mpi.h>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <map>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lapwing/compute/clock.hpp"
#include "lapwing/transport/mpi/byte_type.hpp"
#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/mpi/request.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// Non-blocking collectives. Each is initiated by all ranks, in the same order, and returns a
/// request; its memory is in use until that is complete.
///
/// A message between two ranks (`send` and `receive`) is a broadcast among the two. Collectives
/// have no tags: messages from one rank to another meet in the order in which they are initiated.
///
/// Any number of bytes or elements, also beyond 2^31, which MPI's counts end at. Where each rank
/// knows sizes that others do not (`alltoallv`, `gatherv`, `scatterv` of bytes), no rank could
/// choose another call for what is large: those are lists of messages, as which libraries run them.
class Collective {
  public:
    /// What is under way, and the counts that MPI reads until it is complete.
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

        std::vector<int> counts_;  // destroyed after the requests, which wait
        MpiRequest request_;
        std::vector<MpiRequest> others_;  ///< of what is not one call
    };

    /// Messages meet in their order, whatever their tags.
    static constexpr bool in_order = true;

    /// Collective over `original`. `partners`: the ranks this one exchanges messages with, which
    /// must name this one too; needed where there are more ranks than two.  `largest`: count that
    /// MPI is given, the same on all ranks; less than it can take for tests.
    explicit Collective(MPI_Comm original = MPI_COMM_WORLD, std::vector<int> partners = {},
                        std::size_t largest = INT_MAX)
        : communicator_(original), largest_(largest) {
        if (partners.empty() && size() == 2) partners = {1 - rank()};
        connect(std::move(partners));
    }

    /// Rank r's `bytes_per_rank` bytes for each rank, `from` + rank times that, arrive there in
    /// `into` + r times that.
    Request alltoall(const void* from, void* into, std::size_t bytes_per_rank) {
        const ByteType data(bytes_per_rank, largest_);
        return start("MPI_Ialltoall", nobody, {}, [&](const int*, MPI_Request* handle) {
            return MPI_Ialltoall(from, data.count(), data.type(), into, data.count(), data.type(),
                                 communicator_.get(), handle);
        });
    }
    /// `alltoall` with `sent[r]` bytes for rank r and `received[r]` from it, those of each rank
    /// behind those of the one before.
    Request alltoallv(const void* from, std::span<const std::size_t> sent, void* into,
                      std::span<const std::size_t> received) {
        check_lengths(sent);
        check_lengths(received);
        Request request;
        receive_parts(request, into, received);
        send_parts(request, from, sent);
        copy(part_of(from, sent, rank()), part_of(into, received, rank()));
        return request;
    }
    /// Of a buffer, for each rank: how many elements, and how many there are before them.
    struct Parts {
        std::span<const std::size_t> counts;
        std::span<const std::size_t> begins;
    };
    /// `alltoallv` of elements of a type of the caller's, from and to where they lie, by MPI's own
    /// call: beyond 2^31 elements they have to be larger ones.
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
        return start("MPI_Ialltoallv", nobody, std::move(counts),
                     [&](const int* c, MPI_Request* handle) {
                         return MPI_Ialltoallv(from, c, c + ranks, element, into, c + 2 * ranks,
                                               c + 3 * ranks, element, communicator_.get(), handle);
                     });
    }
    /// `bytes` of rank `root`, in the same place on every rank's `data`.
    Request broadcast(void* data, std::size_t bytes, int root) {
        return broadcast(communicator_, data, bytes, root, root);
    }
    /// Every rank's `bytes_per_rank` bytes, those of rank r in `into` + r times that, on every
    /// rank.
    Request allgather(const void* from, void* into, std::size_t bytes_per_rank) {
        const ByteType data(bytes_per_rank, largest_);
        return start("MPI_Iallgather", nobody, {}, [&](const int*, MPI_Request* handle) {
            return MPI_Iallgather(from, data.count(), data.type(), into, data.count(), data.type(),
                                  communicator_.get(), handle);
        });
    }
    /// `allgather` of `bytes` from this rank, `received[r]` from rank r, each behind the one
    /// before.
    Request allgatherv(const void* from, std::size_t bytes, void* into,
                       std::span<const std::size_t> received) {
        check_lengths(received);
        if (std::accumulate(received.begin(), received.end(), std::size_t{0}) > largest_) {
            Request request;
            receive_parts(request, into, received);
            for (int other = 0; other < size(); ++other)
                if (other != rank()) send_part(request, from, bytes, other);
            copy({from, bytes}, part_of(into, received, rank()));
            return request;
        }
        const ByteType data(bytes, largest_);
        const auto ranks = static_cast<std::size_t>(size());
        std::vector<int> counts;
        append_counts(counts, received);
        return start("MPI_Iallgatherv", nobody, std::move(counts),
                     [&](const int* c, MPI_Request* handle) {
                         return MPI_Iallgatherv(from, data.count(), data.type(), into, c, c + ranks,
                                                MPI_BYTE, communicator_.get(), handle);
                     });
    }
    /// `allgather` for rank `root` alone; `into` is not used elsewhere.
    Request gather(const void* from, void* into, std::size_t bytes_per_rank, int root) {
        const ByteType data(bytes_per_rank, largest_);
        return start("MPI_Igather", root, {}, [&](const int*, MPI_Request* handle) {
            return MPI_Igather(from, data.count(), data.type(), into, data.count(), data.type(),
                               root, communicator_.get(), handle);
        });
    }
    /// `gather` of `bytes` from this rank, `received[r]` from rank r, each behind the one before.
    /// `into` and `received` are not used where this is not `root`.
    Request gatherv(const void* from, std::size_t bytes, void* into,
                    std::span<const std::size_t> received, int root) {
        Request request;
        if (rank() != root) {
            send_part(request, from, bytes, root);
            return request;
        }
        check_lengths(received);
        receive_parts(request, into, received);
        copy({from, bytes}, part_of(into, received, root));
        return request;
    }
    /// Rank `root`'s `bytes_per_rank` bytes for each rank, `from` + rank times that. `from` is not
    /// used elsewhere.
    Request scatter(const void* from, void* into, std::size_t bytes_per_rank, int root) {
        const ByteType data(bytes_per_rank, largest_);
        return start("MPI_Iscatter", root, {}, [&](const int*, MPI_Request* handle) {
            return MPI_Iscatter(from, data.count(), data.type(), into, data.count(), data.type(),
                                root, communicator_.get(), handle);
        });
    }
    /// `scatter` of `sent[r]` bytes to rank r, those of each rank behind those of the one before;
    /// `bytes` of them here. `from` and `sent` are not used where this is not `root`.
    Request scatterv(const void* from, std::span<const std::size_t> sent, void* into,
                     std::size_t bytes, int root) {
        Request request;
        if (rank() != root) {
            receive_part(request, into, bytes, root);
            return request;
        }
        check_lengths(sent);
        send_parts(request, from, sent);
        copy(part_of(from, sent, root), {into, bytes});
        return request;
    }
    /// `operation` over all ranks' `from`, element by element, in every rank's `into`.
    Request allreduce(std::span<const double> from, double* into, MPI_Op operation = MPI_SUM) {
        return in_parts(from.size(), [&](std::size_t first, int count) {
            return start("MPI_Iallreduce", nobody, {}, [&](const int*, MPI_Request* handle) {
                return MPI_Iallreduce(from.data() + first, into + first, count, MPI_DOUBLE,
                                      operation, communicator_.get(), handle);
            });
        });
    }
    /// `allreduce` for rank `root` alone; `into` is not used elsewhere.
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

    /// `operation` over all ranks' `from`, element by element; rank r gets the r-th part of the
    /// result, of `from.size()` over the number of ranks, in `into`.
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
    /// The same, rank r getting `received[r]` elements.
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

    /// To a partner. `tag` is not looked at: see above.
    Request send(const void* from, std::size_t bytes, int peer, [[maybe_unused]] int tag) {
        // The root of a broadcast only reads.
        return broadcast(channels(peer).there, const_cast<void*>(from), bytes,
                         rank() < peer ? 0 : 1, peer);
    }
    Request receive(void* into, std::size_t bytes, int peer, [[maybe_unused]] int tag) {
        return broadcast(channels(peer).back, into, bytes, rank() < peer ? 1 : 0, peer);
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
    /// `root` of `among`, and the rank it is about.
    Request broadcast(const Communicator& among, void* data, std::size_t bytes, int root,
                      int peer) const {
        const ByteType type(bytes, largest_);
        return start("MPI_Ibcast", peer, {}, [&](const int*, MPI_Request* handle) {
            return MPI_Ibcast(data, type.count(), type.type(), root, among.get(), handle);
        });
    }
    /// `initiate(counts, handle)` calls MPI; `counts` stay where they are until it is complete.
    /// `peer`: the rank that `call` is about, for error messages.
    template <class Initiate>
    static Request start(const char* call, int peer, std::vector<int> counts, Initiate&& initiate) {
        MPI_Request handle = MPI_REQUEST_NULL;
        check_mpi(initiate(counts.data(), &handle), call, peer);
        return {std::move(counts), MpiRequest(handle, peer)};
    }
    /// Appends what MPI wants of the parts of a buffer: their lengths, then where they begin.
    static void append_counts(std::vector<int>& counts, std::span<const std::size_t> lengths) {
        for (const std::size_t length : lengths) counts.push_back(checked_count(length));
        std::size_t begin = 0;
        for (const std::size_t length : lengths) {
            counts.push_back(checked_count(begin));
            begin += length;
        }
    }
    void check_lengths(std::span<const std::size_t> lengths) const {
        if (lengths.size() != static_cast<std::size_t>(size()))
            throw std::invalid_argument("collective: needs one number for each rank");
    }

    /// Some bytes, to be read or written.
    template <class Void>
    struct Bytes {
        Void* data;
        std::size_t size;
    };
    /// The part of rank `other` in a buffer of parts that lie one behind the other.
    template <class Void>
    static Bytes<Void> part_of(Void* all, std::span<const std::size_t> lengths, int other) {
        using Byte = std::conditional_t<std::is_const_v<Void>, const std::byte, std::byte>;
        const auto place = static_cast<std::size_t>(other);
        const auto before = lengths.first(place);
        return {
            static_cast<Byte*>(all) + std::accumulate(before.begin(), before.end(), std::size_t{0}),
            lengths[place]};
    }
    /// What a rank sends to itself.
    static void copy(const Bytes<const void>& from, const Bytes<void>& into) {
        if (from.size > into.size)
            throw std::invalid_argument("collective: " + std::to_string(from.size) +
                                        " bytes for a part of " + std::to_string(into.size));
        if (from.size > 0) std::memcpy(into.data, from.data, from.size);
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
    /// To and from all others, the next rank first, so that not all send to one.
    void send_parts(Request& request, const void* from, std::span<const std::size_t> lengths) {
        for (int step = 1; step < size(); ++step) {
            const int peer = (rank() + step) % size();
            const auto part = part_of(from, lengths, peer);
            send_part(request, part.data, part.size, peer);
        }
    }
    void receive_parts(Request& request, void* into, std::span<const std::size_t> lengths) {
        for (int step = 1; step < size(); ++step) {
            const int peer = (rank() + size() - step) % size();
            const auto part = part_of(into, lengths, peer);
            receive_part(request, part.data, part.size, peer);
        }
    }
    /// `initiate(first, count)` for as many elements at a time as MPI can count.
    template <class Initiate>
    Request in_parts(std::size_t count, Initiate&& initiate) {
        Request all = initiate(std::size_t{0}, static_cast<int>(std::min(count, largest_)));
        for (std::size_t first = largest_; first < count; first += largest_)
            all.others_.push_back(std::move(
                initiate(first, static_cast<int>(std::min(count - first, largest_))).request_));
        return all;
    }
    /// A reduction for each rank, of its part.
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

    static constexpr int any = 0;      // a tag: messages meet in their order
    static constexpr int nobody = -1;  // a peer: a call is about all ranks

    Communicator communicator_;
    std::size_t largest_;               ///< count that MPI is given
    std::map<int, Channels> channels_;  ///< by partner
};

static_assert(Transport<Collective>);

}  // namespace lapwing

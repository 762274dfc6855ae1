#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "lapwing/compute/charge.hpp"
#include "lapwing/pipeline/collectives/varying_request.hpp"
#include "lapwing/transport/mpi/byte_type.hpp"
#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"

namespace lapwing {

/// Gathers of data whose sizes only the senders know (Hoefler, Gottschling, Lumsdaine 2008, listing
/// 5). The sizes travel ahead; each rank's data follows as soon as its size is known, into memory
/// that the request owns. Non-blocking; any number may be under way at once; all ranks initiate
/// them in the same order.
///
/// Sizes and data are messages, not `MPI_Igather` and `MPI_Igatherv`, which libraries run as the
/// same list of receives. That allows three things. Parts may have more than 2^31 bytes together.
/// Sends of the data are synchronous, so no rank runs further ahead of the root than its window.
/// And the root tests one request instead of all.
class GatherVarying {
    struct Gather;
    friend class VaryingRequest<GatherVarying, Gather>;

  public:
    class Request;

    /// Gathers at rank `root` of `original`. Collective over it. Outlives its requests.
    explicit GatherVarying(MPI_Comm original = MPI_COMM_WORLD, int root = 0)
        : sizes_(original),
          data_(original),
          root_(root),
          rank_(data_.rank()),
          ranks_(static_cast<std::size_t>(data_.size())) {}
    GatherVarying(const GatherVarying&) = delete;
    GatherVarying& operator=(const GatherVarying&) = delete;

    /// Initiates a gather. This rank's part is `bytes` at `data`, in use until the request is
    /// complete.
    Request gather(const void* data, std::size_t bytes);

    /// Receives the data of ranks whose sizes have arrived, gather by gather. Every other call does
    /// that, too.
    void progress() {
        for (; !unopened_.empty(); unopened_.pop_front()) {
            Gather& oldest = *unopened_.front();
            while (oldest.sizes_known < ranks_) {
                if (!test(oldest.size_messages[oldest.sizes_known])) return;
                receive_next(oldest);
            }
        }
    }

    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int size() const { return static_cast<int>(ranks_); }
    [[nodiscard]] bool is_root() const { return rank_ == root_; }

  private:
    /// A message to or from a rank.
    struct Message {
        MPI_Request handle = MPI_REQUEST_NULL;
        int peer = -1;
    };
    /// One gather. It stays in its place, as MPI reads and writes it until it is complete.
    struct Gather {
        const void* data = nullptr;
        std::uint64_t bytes = 0;     ///< this rank's part
        std::vector<Message> parts;  ///< what this rank sends, or the data that the root receives
        std::size_t complete = 0;    ///< parts, from the first, that are known to be complete
        // At the root, by rank:
        std::vector<std::uint64_t> sizes;    ///< bytes
        std::vector<Message> size_messages;  ///< bring the sizes
        std::size_t sizes_known = 0;         ///< ranks, from the first, whose size has arrived
        std::vector<std::unique_ptr<std::byte[]>> memory;
    };

    static bool test(Message& message) {
        if (message.handle == MPI_REQUEST_NULL) return true;  // SMPI would say no
        int done = 0;
        check_mpi(MPI_Test(&message.handle, &done, MPI_STATUS_IGNORE), "MPI_Test", message.peer);
        return done != 0;
    }
    static void wait(Message& message) {
        check_mpi(MPI_Wait(&message.handle, MPI_STATUS_IGNORE), "MPI_Wait", message.peer);
    }
    /// Whether all messages of this rank have been initiated.
    [[nodiscard]] bool all_initiated(const Gather& gather) const {
        return !is_root() || gather.sizes_known == ranks_;
    }
    /// Receives the data of the next rank, whose size has arrived.
    void receive_next(Gather& gather) {
        const std::size_t from = gather.sizes_known++;
        const std::uint64_t bytes = gather.sizes[from];
        if (bytes == 0) return;
        // No vector: it would be filled for nothing.
        gather.memory[from].reset(new std::byte[bytes]);
        std::byte* const place = gather.memory[from].get();
        const int peer = static_cast<int>(from);
        if (peer == root_) {
            std::memcpy(place, gather.data, bytes);
            return;
        }
        const ByteType type(bytes);
        gather.parts.push_back({.peer = peer});
        check_mpi(MPI_Irecv(place, type.count(), type.type(), peer, tag, data_.get(),
                            &gather.parts.back().handle),
                  "MPI_Irecv", peer);
    }
    bool test(Gather& gather) {
        progress();
        if (!all_initiated(gather)) return false;
        for (; gather.complete < gather.parts.size(); ++gather.complete)
            if (!test(gather.parts[gather.complete])) return false;
        return true;
    }
    void wait(Gather& gather) {
        if constexpr (simulated_time) {
            // Tests in a loop would take simulated time. Later gathers progress after each part.
            while (!all_initiated(gather)) {
                Gather& oldest = *unopened_.front();
                wait(oldest.size_messages[oldest.sizes_known]);
                progress();
            }
            progress();
            for (; gather.complete < gather.parts.size(); ++gather.complete) {
                wait(gather.parts[gather.complete]);
                progress();
            }
        } else {
            // Each test also receives the data of later gathers.
            while (!test(gather)) std::this_thread::yield();
        }
    }

    // One tag will do: between two ranks messages arrive in the order of the gathers.
    static constexpr int tag = 0;

    Communicator sizes_;
    Communicator data_;
    int root_;
    int rank_;
    std::size_t ranks_;
    std::deque<Gather*> unopened_;  ///< at the root: gathers that miss sizes, oldest first
};

/// A gather under way; at the root, once it is complete, what has arrived.
class GatherVarying::Request final : public VaryingRequest<GatherVarying, Gather> {
  public:
    Request() = default;

    /// What rank `from` sent. At the root, after completion, for as long as this request lives.
    [[nodiscard]] std::span<const std::byte> arrived(int from) const {
        const auto place = static_cast<std::size_t>(from);
        return {state().memory[place].get(), state().sizes[place]};
    }
    /// Calls `use` with what each rank sent, in the order of the ranks. Does nothing elsewhere than
    /// at the root.
    template <class Use>
    void for_each_arrived(Use use) const {
        const auto ranks = static_cast<int>(state().sizes.size());
        for (int from = 0; from < ranks; ++from) use(arrived(from));
    }

  private:
    friend class GatherVarying;
    Request(GatherVarying& engine, std::unique_ptr<Gather> gather)
        : VaryingRequest(engine, std::move(gather)) {}
};

inline GatherVarying::Request GatherVarying::gather(const void* data, std::size_t bytes) {
    progress();
    auto made = std::make_unique<Gather>();
    made->data = data;
    made->bytes = bytes;
    if (is_root()) {
        made->sizes.resize(ranks_);
        made->sizes[static_cast<std::size_t>(root_)] = bytes;
        made->size_messages.resize(ranks_);
        made->memory.resize(ranks_);
        made->parts.reserve(ranks_);
        for (int from = 0; from < size(); ++from) {
            const auto place = static_cast<std::size_t>(from);
            if (from == root_) continue;
            made->size_messages[place].peer = from;
            check_mpi(MPI_Irecv(&made->sizes[place], 1, MPI_UINT64_T, from, tag, sizes_.get(),
                                &made->size_messages[place].handle),
                      "MPI_Irecv", from);
        }
        unopened_.push_back(made.get());
    } else {
        made->parts.assign(bytes > 0 ? 2 : 1, {.peer = root_});
        check_mpi(MPI_Isend(&made->bytes, 1, MPI_UINT64_T, root_, tag, sizes_.get(),
                            &made->parts.front().handle),
                  "MPI_Isend", root_);
        if (bytes > 0) {
            const ByteType type(bytes);
            check_mpi(MPI_Issend(data, type.count(), type.type(), root_, tag, data_.get(),
                                 &made->parts.back().handle),
                      "MPI_Issend", root_);
        }
    }
    return {*this, std::move(made)};
}

}  // namespace lapwing

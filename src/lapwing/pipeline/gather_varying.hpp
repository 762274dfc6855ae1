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
#include "lapwing/transport/byte_type.hpp"
#include "lapwing/transport/communicator.hpp"
#include "lapwing/transport/mpi_error.hpp"

namespace lapwing {

/// Gathers of data whose sizes only their senders know (Hoefler, Gottschling, Lumsdaine 2008,
/// listing 5): the sizes are gathered, then the data, into memory that belongs to the gather.
/// Non-blocking, any number under way at once, initiated by all ranks in the same order.
///
/// The data travels as messages of its own rather than as one `MPI_Igatherv`, which libraries run
/// as this very list of receives: the parts of a gather may so be larger than 2^31 bytes together,
/// and each send is synchronous, so that no rank runs further ahead of the root than its window.
class GatherVarying {
    struct Gather;

  public:
    class Request;

    /// Gathers at rank `root` of `original`. It ends after its requests.
    explicit GatherVarying(MPI_Comm original = MPI_COMM_WORLD, int root = 0)
        : sizes_(original),
          data_(original),
          root_(root),
          rank_(data_.rank()),
          ranks_(static_cast<std::size_t>(data_.size())) {}
    GatherVarying(const GatherVarying&) = delete;
    GatherVarying& operator=(const GatherVarying&) = delete;

    /// This rank's part of the next gather: `bytes` at `data`, in use until it is complete.
    Request gather(const void* data, std::size_t bytes);

    /// Initiates the second stage of all gathers whose sizes have arrived. Every call below does.
    void progress() {
        while (!unopened_.empty() && arrived(*unopened_.front())) open_oldest();
    }

    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int size() const { return static_cast<int>(ranks_); }
    [[nodiscard]] bool is_root() const { return rank_ == root_; }

  private:
    /// One gather, in a place that MPI may read from and write to until it is complete.
    struct Gather {
        const void* data = nullptr;
        std::uint64_t bytes = 0;           ///< of this rank
        std::vector<std::uint64_t> sizes;  ///< bytes of each rank; at the root
        MPI_Request sizes_request = MPI_REQUEST_NULL;
        std::vector<MPI_Request> parts;  ///< what is sent, or received at the root
        bool open = false;               ///< whether the second stage has been initiated
        std::unique_ptr<std::byte[]> memory;
        std::vector<std::size_t> begins;  ///< of each rank's part in the memory, and the end of all
    };

    static bool arrived(Gather& gather) {
        if (gather.sizes_request == MPI_REQUEST_NULL) return true;  // SMPI would say no
        int done = 0;
        check_mpi(MPI_Test(&gather.sizes_request, &done, MPI_STATUS_IGNORE), "MPI_Test");
        return done != 0;
    }
    /// The oldest gather without its second stage gets it; its sizes have arrived.
    void open_oldest() {
        Gather& gather = *unopened_.front();
        unopened_.pop_front();
        open(gather);
    }
    void open(Gather& gather) {
        gather.open = true;
        gather.begins.assign(1, 0);
        for (const auto size : gather.sizes) gather.begins.push_back(gather.begins.back() + size);
        // Not a vector: nobody reads what it would be filled with.
        gather.memory.reset(new std::byte[gather.begins.back()]);
        for (std::size_t from = 0; from < ranks_; ++from) {
            std::byte* const place = gather.memory.get() + gather.begins[from];
            if (gather.sizes[from] == 0) continue;
            if (static_cast<int>(from) == rank_) {
                std::memcpy(place, gather.data, gather.bytes);
                continue;
            }
            const int peer = static_cast<int>(from);
            const ByteType type(gather.sizes[from]);
            gather.parts.push_back(MPI_REQUEST_NULL);
            check_mpi(MPI_Irecv(place, type.count(), type.type(), peer, tag, data_.get(),
                                &gather.parts.back()),
                      "MPI_Irecv", peer);
        }
    }
    bool test(Gather& gather) {
        progress();
        if (!gather.open || !arrived(gather)) return false;
        int done = 0;
        check_mpi(MPI_Testall(static_cast<int>(gather.parts.size()), gather.parts.data(), &done,
                              MPI_STATUSES_IGNORE),
                  "MPI_Testall");
        return done != 0;
    }
    void wait(Gather& gather) {
        if constexpr (simulated_time) {
            // Looking again and again would take simulated time; gathers behind this one are looked
            // at after each part of it.
            while (!gather.open) {
                check_mpi(MPI_Wait(&unopened_.front()->sizes_request, MPI_STATUS_IGNORE),
                          "MPI_Wait");
                open_oldest();
            }
            progress();
            check_mpi(MPI_Wait(&gather.sizes_request, MPI_STATUS_IGNORE), "MPI_Wait");
            for (auto& part : gather.parts) {
                check_mpi(MPI_Wait(&part, MPI_STATUS_IGNORE), "MPI_Wait");
                progress();
            }
        } else {
            // Gathers behind this one go on to their second stage meanwhile.
            while (!test(gather)) std::this_thread::yield();
        }
    }

    // Between two ranks messages arrive in the order of the gathers they are of.
    static constexpr int tag = 0;

    Communicator sizes_;
    Communicator data_;
    int root_;
    int rank_;
    std::size_t ranks_;
    std::deque<Gather*> unopened_;  ///< at the root, in their order
};

/// A gather under way, and at the root, once it is complete, what has arrived.
class GatherVarying::Request {
  public:
    Request() = default;
    Request(Request&& other) noexcept : engine_(other.engine_), gather_(std::move(other.gather_)) {}
    Request& operator=(Request&& other) noexcept {
        std::swap(engine_, other.engine_);
        std::swap(gather_, other.gather_);
        return *this;
    }
    Request(const Request&) = delete;
    Request& operator=(const Request&) = delete;
    /// Waits: the data is in use until then. If that fails there is nobody left to be told.
    ~Request() {
        try {
            wait();
        } catch (...) {  // NOLINT(bugprone-empty-catch)
        }
    }

    /// Whether this rank's part is complete. Lets all gathers progress.
    bool test() { return gather_ == nullptr || engine_->test(*gather_); }
    /// Returns when it is.
    void wait() {
        if (gather_ != nullptr) engine_->wait(*gather_);
    }

    /// What rank `from` sent. At the root, after completion, for as long as this request lives.
    [[nodiscard]] std::span<const std::byte> arrived(int from) const {
        const auto& begins = gather_->begins;
        const auto place = static_cast<std::size_t>(from);
        return {gather_->memory.get() + begins[place], begins[place + 1] - begins[place]};
    }
    /// What all ranks sent, one behind the other in the order of the ranks.
    [[nodiscard]] std::span<const std::byte> arrived() const {
        return {gather_->memory.get(), gather_->begins.back()};
    }

  private:
    friend class GatherVarying;
    Request(GatherVarying& engine, std::unique_ptr<Gather> gather)
        : engine_(&engine), gather_(std::move(gather)) {}

    GatherVarying* engine_ = nullptr;
    std::unique_ptr<Gather> gather_;
};

inline GatherVarying::Request GatherVarying::gather(const void* data, std::size_t bytes) {
    progress();
    auto made = std::make_unique<Gather>();
    made->data = data;
    made->bytes = bytes;
    if (is_root()) made->sizes.resize(ranks_);
    check_mpi(MPI_Igather(&made->bytes, 1, MPI_UINT64_T, made->sizes.data(), 1, MPI_UINT64_T, root_,
                          sizes_.get(), &made->sizes_request),
              "MPI_Igather");
    if (is_root()) {
        unopened_.push_back(made.get());
    } else {
        // Who sends knows how much: the root alone has to wait for the sizes.
        made->open = true;
        if (bytes > 0) {
            const ByteType type(bytes);
            made->parts.push_back(MPI_REQUEST_NULL);
            check_mpi(MPI_Issend(data, type.count(), type.type(), root_, tag, data_.get(),
                                 &made->parts.back()),
                      "MPI_Issend", root_);
        }
    }
    return {*this, std::move(made)};
}

}  // namespace lapwing

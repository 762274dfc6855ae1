#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/compute/charge.hpp"
#include "lapwing/transport/mpi/byte_type.hpp"
#include "lapwing/transport/mpi/request.hpp"
#include "lapwing/transport/mpi/window.hpp"
#include "lapwing/transport/rma/notified_access.hpp"

namespace lapwing {

/// One-sided MPI: puts and gets between this rank's memory and a window that every rank has. Each
/// is completed by a flush of its target, or by a request of its own. `offset`: bytes from the
/// start of the target's window.
///
/// Where there is no hardware for it, data moves only while the target is inside MPI, too.
class Rma {
  public:
    /// A put or a get that a flush of its target completes, here and there. MPI has no call that
    /// asks for it: `test` lets MPI progress, and is true once this or a later transfer to the same
    /// target has been awaited.
    class Flushed {
      public:
        Flushed() = default;
        Flushed(Rma& rma, int peer, std::uint64_t number)
            : rma_(&rma), peer_(peer), number_(number) {}
        Flushed(Flushed&& other) noexcept
            : rma_(std::exchange(other.rma_, nullptr)),
              peer_(other.peer_),
              number_(other.number_) {}
        Flushed& operator=(Flushed&& other) noexcept {
            std::swap(rma_, other.rma_);
            std::swap(peer_, other.peer_);
            std::swap(number_, other.number_);
            return *this;
        }
        Flushed(const Flushed&) = delete;
        Flushed& operator=(const Flushed&) = delete;
        /// Waits: the memory is in use until then. An error in that cannot be told to anybody.
        ~Flushed() {
            try {
                wait();
            } catch (...) {  // NOLINT(bugprone-empty-catch)
            }
        }

        bool test() {
            if (!done()) rma_->progress();
            return done();
        }
        void wait() {
            if (!done()) rma_->flush(peer_);
        }

      private:
        [[nodiscard]] bool done() const {
            return rma_ == nullptr || number_ <= of(rma_->flushed_, peer_);
        }

        Rma* rma_ = nullptr;
        int peer_ = -1;
        std::uint64_t number_ = 0;
    };

    /// Collective over `original`; `bytes` of window on every rank.
    Rma(MPI_Comm original, std::size_t bytes)
        : window_(original, bytes),
          initiated_(static_cast<std::size_t>(window_.communicator().size())),
          flushed_(initiated_.size()) {}
    // Requests point here.
    Rma(const Rma&) = delete;
    Rma& operator=(const Rma&) = delete;

    [[nodiscard]] Flushed put(const void* from, std::size_t bytes, int peer, std::size_t offset) {
        const MPI_Aint place = target(offset, bytes);
        const ByteType data(bytes);
        check_mpi(MPI_Put(from, data.count(), data.type(), peer, place, data.count(), data.type(),
                          window_.get()),
                  "MPI_Put", peer);
        return {*this, peer, ++of(initiated_, peer)};
    }
    [[nodiscard]] Flushed get(void* into, std::size_t bytes, int peer, std::size_t offset) {
        const MPI_Aint place = target(offset, bytes);
        const ByteType data(bytes);
        check_mpi(MPI_Get(into, data.count(), data.type(), peer, place, data.count(), data.type(),
                          window_.get()),
                  "MPI_Get", peer);
        return {*this, peer, ++of(initiated_, peer)};
    }
    /// A put whose request is complete when `from` is free again. A flush completes it at the
    /// target.
    [[nodiscard]] MpiRequest rput(const void* from, std::size_t bytes, int peer,
                                  std::size_t offset) {
        const MPI_Aint place = target(offset, bytes);
        const ByteType data(bytes);
        MPI_Request handle = MPI_REQUEST_NULL;
        check_mpi(MPI_Rput(from, data.count(), data.type(), peer, place, data.count(), data.type(),
                           window_.get(), &handle),
                  "MPI_Rput", peer);
        ++of(initiated_, peer);
        return {handle, peer};
    }
    /// A get whose request is complete when the data is here.
    [[nodiscard]] MpiRequest rget(void* into, std::size_t bytes, int peer, std::size_t offset) {
        const MPI_Aint place = target(offset, bytes);
        const ByteType data(bytes);
        MPI_Request handle = MPI_REQUEST_NULL;
        check_mpi(MPI_Rget(into, data.count(), data.type(), peer, place, data.count(), data.type(),
                           window_.get(), &handle),
                  "MPI_Rget", peer);
        ++of(initiated_, peer);
        return {handle, peer};
    }
    /// A put that tells its target (`notified_access`). Its request is complete when the data is
    /// there.
    [[nodiscard]] MpiRequest put_notified(const void* from, std::size_t bytes, int peer,
                                          std::size_t offset, int tag) {
        (void)target(offset, bytes);
        return notified_access::put(from, bytes, peer, offset, window_.get(), tag);
    }
    /// A request for the arrival of such a put.
    [[nodiscard]] MpiRequest notice(int peer, int tag) const {
        return notified_access::notice(peer, window_.get(), tag);
    }
    /// How many there have been with this tag.
    [[nodiscard]] int arrivals(int peer, int tag) const {
        return notified_access::arrivals(peer, window_.get(), tag);
    }
    /// Returns when all puts to `peer`, and gets from it, are complete, here and there.
    void flush(int peer) {
        if (of(flushed_, peer) == of(initiated_, peer)) return;
        check_mpi(MPI_Win_flush(peer, window_.get()), "MPI_Win_flush", peer);
        of(flushed_, peer) = of(initiated_, peer);
    }
    /// Makes complete puts of other ranks visible to this rank's loads.
    void sync() {
        // SMPI has no MPI_Win_sync, and needs none.
        if (!simulated_time) check_mpi(MPI_Win_sync(window_.get()), "MPI_Win_sync");
    }

    [[nodiscard]] std::byte* data() const { return window_.data(); }
    [[nodiscard]] std::size_t size() const { return window_.size(); }
    [[nodiscard]] const Communicator& communicator() const { return window_.communicator(); }
    [[nodiscard]] int rank() const { return communicator().rank(); }

  private:
    [[nodiscard]] static std::uint64_t& of(std::vector<std::uint64_t>& numbers, int peer) {
        return numbers[static_cast<std::size_t>(peer)];
    }
    [[nodiscard]] MPI_Aint target(std::size_t offset, std::size_t bytes) const {
        if (offset > size() || bytes > size() - offset)
            throw std::out_of_range("rma: " + std::to_string(bytes) + " bytes at " +
                                    std::to_string(offset) + " leave the window of " +
                                    std::to_string(size()));
        return static_cast<MPI_Aint>(offset);
    }
    /// Probes for a message that nobody sends: every MPI progresses one-sided transfers in that.
    void progress() const {
        int found = 0;
        check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator().get(), &found,
                             MPI_STATUS_IGNORE),
                  "MPI_Iprobe");
    }

    Window window_;
    std::vector<std::uint64_t> initiated_;  ///< transfers, by target
    std::vector<std::uint64_t> flushed_;    ///< how many of them a flush has completed
};

}  // namespace lapwing

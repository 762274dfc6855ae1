#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "lapwing/transport/rma/notified.hpp"
#include "lapwing/transport/streams.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// Messages by `MPI_Rput`. Received data goes into the window, sent data may lie anywhere.
/// `receive` offers its memory; `send` puts as soon as it has the offer, and answers when a flush
/// has completed the put.
///
/// A flush waits for all puts to a rank. So the rank calls it when all of them have left, and then
/// tells all arrivals together. With many large messages in flight a get is better.
class NotifiedPut : public Notified {
  public:
    /// Collective over `original`; `bytes` of memory to receive into.
    explicit NotifiedPut(MPI_Comm original, std::size_t bytes)
        : Notified(original, bytes, false), targets_(static_cast<std::size_t>(size())) {}

    [[nodiscard]] Stream outgoing(std::span<const std::byte> data, int peer, StreamData /*when*/) {
        return open_as_mover(data, peer);
    }
    [[nodiscard]] Stream incoming(std::span<std::byte> data, int peer) {
        return open_as_owner(data, peer, false);
    }
    Request send(const void* from, std::size_t bytes, int peer, int tag) {
        return move(std::make_unique<Put>(*this, from, bytes, peer, tag));
    }
    Request receive(void* into, std::size_t bytes, int peer, int tag) {
        if (owned_stream_of(peer, into, bytes) == nullptr) return offer(into, bytes, peer, tag);
        auto arrival = std::make_unique<Arrival>(*this, peer, tag);
        transfers().start(*arrival);
        return Request(std::move(arrival));
    }

  private:
    class Put;

    /// What is put into this rank's memory in a stream.
    class Arrival final : public Transfers::Transfer {
      public:
        Arrival(NotifiedPut& all, int peer, int tag)
            : Transfer(all.transfers(), peer), all_(all), tag_(tag) {}

      private:
        std::optional<MPI_Request> next() override {
            if (!std::exchange(awaited_, true))
                if (MPI_Request notice = all_.notice(peer(), tag_); notice != MPI_REQUEST_NULL)
                    return notice;
            all_.rma().sync();  // what has been put is in our memory
            return std::nullopt;
        }

        NotifiedPut& all_;
        int tag_;
        bool awaited_ = false;
    };

    /// The puts to one rank.
    struct Target {
        std::size_t leaving = 0;  ///< initiated and not complete here
        std::vector<Put*> left;   ///< complete here, and not flushed
    };

    class Put final : public Move {
      public:
        Put(NotifiedPut& all, const void* from, std::size_t bytes, int peer, int tag)
            : Move(all, from, bytes, peer, tag), all_(all), from_(from), bytes_(bytes) {}

      private:
        std::optional<MPI_Request> next() override {
            switch (step_++) {
                case offered:
                    if (bytes_ > terms().bytes) throw too_long(bytes_, terms().bytes);
                    if (stream() != nullptr && notified_access::exists()) return put_notified();
                    if (bytes_ > 0) return put();
                    ++step_;
                    return answer();
                case leaving:
                    return flush();
                default:
                    return std::nullopt;
            }
        }
        std::optional<MPI_Request> put_notified() {
            step_ = told;
            MPI_Request handle =
                all_.rma().put_notified(from_, bytes_, peer(), terms().offset, tag()).release();
            if (handle == MPI_REQUEST_NULL) return std::nullopt;
            return handle;
        }
        MPI_Request put() {
            auto request = all_.rma().rput(from_, bytes_, peer(), terms().offset);
            ++target().leaving;
            if (MPI_Request handle = request.release(); handle != MPI_REQUEST_NULL) return handle;
            ++step_;  // SMPI copies at once to this rank itself
            return flush();
        }
        MPI_Request flush() {
            target().left.push_back(this);
            if (--target().leaving > 0) return MPI_REQUEST_NULL;
            all_.rma().flush(peer());
            for (Put* const other : std::exchange(target().left, {}))
                if (other != this) all_.transfers().resume(*other, other->answer());
            return answer();
        }
        [[nodiscard]] Target& target() { return all_.targets_[static_cast<std::size_t>(peer())]; }

        enum Step { offered, leaving, told };
        NotifiedPut& all_;
        const void* from_;
        std::size_t bytes_;
        int step_ = offered;
    };

    std::vector<Target> targets_;  ///< by rank
};

static_assert(OffersStreams<NotifiedPut>);

}  // namespace lapwing

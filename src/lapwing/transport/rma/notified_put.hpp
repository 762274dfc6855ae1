#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "lapwing/transport/rma/notified.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// Messages by `MPI_Rput`. What is received goes into the window, what is sent may lie anywhere.
/// `receive` offers its memory; `send` puts as soon as it has the offer, and answers when a flush
/// has completed the put.
///
/// A flush waits for all puts to a rank. So it is called when all of them have left, and their
/// arrivals are told together. With many large messages in flight a get is better.
class NotifiedPut : public Notified {
  public:
    /// Collective over `original`; `bytes` of memory to receive into.
    explicit NotifiedPut(MPI_Comm original, std::size_t bytes)
        : Notified(original, bytes), targets_(static_cast<std::size_t>(size())) {}

    Request send(const void* from, std::size_t bytes, int peer, int tag) {
        return move(std::make_unique<Put>(*this, from, bytes, peer, tag));
    }
    Request receive(void* into, std::size_t bytes, int peer, int tag) {
        return offer(into, bytes, peer, tag);
    }

  private:
    class Put;

    /// The puts to one rank.
    struct Target {
        std::size_t leaving = 0;  ///< initiated and not complete here
        std::vector<Put*> left;   ///< complete here, and not flushed
    };

    class Put final : public Move {
      public:
        Put(NotifiedPut& all, const void* from, std::size_t bytes, int peer, int tag)
            : Move(all, peer, tag), all_(all), from_(from), bytes_(bytes) {}

      private:
        std::optional<MPI_Request> next() override {
            switch (step_++) {
                case offered:
                    if (bytes_ > terms().bytes) throw too_long(bytes_, terms().bytes);
                    if (bytes_ > 0) return put();
                    ++step_;
                    return answer();
                case leaving:
                    return flush();
                default:
                    return std::nullopt;
            }
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

static_assert(Transport<NotifiedPut>);

}  // namespace lapwing

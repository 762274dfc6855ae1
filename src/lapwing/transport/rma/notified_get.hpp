#pragma once

#include <mpi.h>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "lapwing/transport/rma/notified.hpp"
#include "lapwing/transport/rma/notified_access.hpp"
#include "lapwing/transport/streams.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// Messages by `MPI_Rget`. Sent data lies in the window, received data may go anywhere. `send`
/// offers its memory, and is complete when the receiver has read it; `receive` gets as soon as it
/// has the offer. This rank gets announced data when it next waits or, where interfaces tell it
/// (`notified_access`), next sends or receives: a rank that computes begins nothing.
class NotifiedGet : public Notified {
  public:
    /// Collective over `original`; `bytes` of memory to send from.
    explicit NotifiedGet(MPI_Comm original, std::size_t bytes) : Notified(original, bytes, true) {}

    [[nodiscard]] Stream outgoing(std::span<const std::byte> data, int peer, StreamData when) {
        return open_as_owner(data, peer, when == StreamData::announced);
    }
    [[nodiscard]] Stream incoming(std::span<std::byte> data, int peer) {
        return open_as_mover(data, peer);
    }
    /// In a stream the data is in use until that is closed.
    Request send(const void* from, std::size_t bytes, int peer, int tag) {
        begin_announced();
        OfferedStream* const stream = owned_stream_of(peer, from, bytes);
        if (stream == nullptr) return offer(from, bytes, peer, tag);
        if (!stream->announced()) return {};
        rma().sync();
        stream->keep(notify(peer, tag));
        return {};
    }
    Request receive(void* into, std::size_t bytes, int peer, int tag) {
        begin_announced();
        return move(std::make_unique<Get>(*this, into, bytes, peer, tag));
    }

  private:
    class Get;

    /// Begins the gets whose data has been announced since.
    void begin_announced() {
        for (std::size_t i = 0; i < unannounced_.size();) {
            if (unannounced_[i]->is_announced()) {
                transfers().step_ended(*unannounced_[i]);  // which takes it off the list
            } else {
                ++i;
            }
        }
    }

    class Get final : public Move {
      public:
        Get(NotifiedGet& all, void* into, std::size_t bytes, int peer, int tag)
            : Move(all, into, bytes, peer, tag), all_(all), into_(into), bytes_(bytes) {
            if (stream() != nullptr && stream()->announced()) step_ = awaits_data;
        }
        ~Get() override { std::erase(all_.unannounced_, this); }  // its notice has failed
        Get(const Get&) = delete;
        Get& operator=(const Get&) = delete;
        /// Of one that waits for that.
        [[nodiscard]] bool is_announced() { return all_.rma().arrivals(peer(), tag()) >= number_; }

      private:
        std::optional<MPI_Request> next() override {
            switch (step_++) {
                case awaits_data:
                    if (MPI_Request handle = await_data(); handle != MPI_REQUEST_NULL)
                        return handle;
                    ++step_;
                    [[fallthrough]];
                case offered:
                    std::erase(all_.unannounced_, this);
                    if (terms().bytes > bytes_) throw too_long(terms().bytes, bytes_);
                    if (MPI_Request handle = get(); handle != MPI_REQUEST_NULL) return handle;
                    ++step_;
                    return arrived();
                case arriving:
                    return arrived();
                default:
                    return std::nullopt;
            }
        }

        MPI_Request await_data() {
            MPI_Request handle = all_.notice(peer(), tag());
            if (notified_access::exists()) {
                number_ = ++all_.awaited_[{peer(), tag()}];
                if (handle != MPI_REQUEST_NULL) all_.unannounced_.push_back(this);
            }
            return handle;
        }
        std::optional<MPI_Request> arrived() {
            if (stream() != nullptr) return std::nullopt;
            return answer();
        }
        /// The null request where there is nothing to wait for: no bytes, or SMPI has copied them
        /// at once from this rank itself.
        MPI_Request get() {
            if (terms().bytes == 0) return MPI_REQUEST_NULL;
            return all_.rma().rget(into_, terms().bytes, peer(), terms().offset).release();
        }

        enum Step { awaits_data, offered, arriving, told };
        NotifiedGet& all_;
        void* into_;
        std::size_t bytes_;
        int step_ = offered;
        int number_ = 0;  ///< of its announcement, among those from its peer with its tag
    };

    std::vector<Get*> unannounced_;               ///< that wait for their data, oldest first
    std::map<std::pair<int, int>, int> awaited_;  ///< announcements so far, by peer and tag
};

static_assert(OffersStreams<NotifiedGet>);

}  // namespace lapwing

#pragma once

#include "lapwing/transport/partitioned/available.hpp"

#ifdef LAPWING_HAS_PARTITIONED
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/mpi/request.hpp"
#include "lapwing/transport/partitioned/partitioned_stream.hpp"
#include "lapwing/transport/stream_list.hpp"
#include "lapwing/transport/streams.hpp"
#include "lapwing/transport/tag.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

namespace lapwing {

/// Streams by MPI's partitioned communication: `MPI_Pready` for each message to send,
/// `MPI_Parrived` for each to receive. Messages outside of a stream are two-sided.
///
/// MPI may keep partitions back until all of their message are ready. So nobody may send the rest
/// of a stream only after the receiver has had the beginning of it, as ranks do that exchange data.
class Partitioned {
  public:
    /// Keeps a stream open.
    using CutStream = StreamList<PartitionedStream>::Open;

    /// A message.
    class Request {
      public:
        Request() = default;
        Request(Request&& other) noexcept
            : outside_(std::move(other.outside_)),
              stream_(std::exchange(other.stream_, nullptr)),
              partition_(other.partition_) {}
        Request& operator=(Request&& other) noexcept {
            std::swap(outside_, other.outside_);
            std::swap(stream_, other.stream_);
            std::swap(partition_, other.partition_);
            return *this;
        }
        Request(const Request&) = delete;
        Request& operator=(const Request&) = delete;
        /// Waits. An error in that cannot be told to anybody.
        ~Request() {
            try {
                if (stream_ != nullptr) stream_->await(partition_);
            } catch (...) {  // NOLINT(bugprone-empty-catch)
            }
        }

        /// Of a message that is sent in a stream: whether it has left together with those of its
        /// size. `wait` does not wait for that.
        bool test() {
            if (stream_ != nullptr && stream_->test(partition_)) stream_ = nullptr;
            return stream_ == nullptr && outside_.test();
        }
        void wait() {
            outside_.wait();
            if (stream_ != nullptr) stream_->await(partition_);
            stream_ = nullptr;
        }

      private:
        friend Partitioned;
        explicit Request(MpiRequest outside) : outside_(std::move(outside)) {}
        Request(PartitionedStream& stream, PartitionedStream::Partition partition)
            : stream_(&stream), partition_(partition) {}

        MpiRequest outside_;  ///< of a message outside of a stream
        PartitionedStream* stream_ = nullptr;
        PartitionedStream::Partition partition_;
    };

    /// Collective over `original`.
    explicit Partitioned(MPI_Comm original = MPI_COMM_WORLD)
        : communicator_(original),
          outside_(original),
          outgoing_(communicator_.size()),
          incoming_(communicator_.size()),
          opened_(static_cast<std::size_t>(communicator_.size())) {}

    /// Opens a stream of `messages`, a `Messages`, out of `data`, which is in use until its end.
    /// `window`: messages that are to be in flight: one partitioned message has half of them, and
    /// travels while the receiver has the one before it.
    template <class Messages>
    [[nodiscard]] CutStream outgoing(std::span<const std::byte> data, int peer,
                                     const Messages& messages, int window) {
        // Nothing is written there.
        const std::span<std::byte> read(const_cast<std::byte*>(data.data()), data.size());
        const auto together = static_cast<std::uint64_t>(std::max(1, window / 2));
        return {outgoing_, peer,
                std::make_unique<PartitionedStream>(read, messages,
                                                    ends(peer, opened(peer).outgoing), together)};
    }
    /// The same into `data`; the sender says the window. The first message to be complete throws
    /// `std::runtime_error` where the peer's stream is not cut into the same messages.
    template <class Messages>
    [[nodiscard]] CutStream incoming(std::span<std::byte> data, int peer,
                                     const Messages& messages) {
        return {incoming_, peer,
                std::make_unique<PartitionedStream>(data, messages,
                                                    ends(peer, opened(peer).incoming), 0)};
    }
    Request send(const void* from, std::size_t bytes, int peer, int tag) {
        PartitionedStream* const stream = outgoing_.take(peer, from, bytes);
        if (stream == nullptr) return Request(outside_.send(from, bytes, peer, tag));
        return {*stream, stream->next(from, bytes)};
    }
    Request receive(void* into, std::size_t bytes, int peer, int tag) {
        PartitionedStream* const stream = incoming_.take(peer, into, bytes);
        if (stream == nullptr) return Request(outside_.receive(into, bytes, peer, tag));
        return {*stream, stream->next(into, bytes)};
    }
    [[nodiscard]] static double now() { return lapwing::now(); }

    [[nodiscard]] int rank() const { return communicator_.rank(); }
    [[nodiscard]] int size() const { return communicator_.size(); }

  private:
    /// Streams that have been opened with a rank.
    struct Opened {
        std::uint64_t outgoing = 0;
        std::uint64_t incoming = 0;
    };

    [[nodiscard]] Opened& opened(int peer) { return opened_.at(static_cast<std::size_t>(peer)); }
    /// Streams that are open at once have tags of their own, in the order of their opening.
    [[nodiscard]] PartitionedMessage::Ends ends(int peer, std::uint64_t& before) const {
        return {communicator_.get(), peer, message_tag(before++)};
    }

    Communicator communicator_;  ///< of partitioned messages, and of those that open streams
    TwoSided outside_;
    StreamList<PartitionedStream> outgoing_;
    StreamList<PartitionedStream> incoming_;
    std::vector<Opened> opened_;  ///< by rank
};

static_assert(CutsStreams<Partitioned>);

}  // namespace lapwing
#endif

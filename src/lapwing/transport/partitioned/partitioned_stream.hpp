#pragma once

#include "lapwing/transport/partitioned/available.hpp"

#ifdef LAPWING_HAS_PARTITIONED
#include <mpi.h>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lapwing/transport/mpi/request.hpp"
#include "lapwing/transport/partitioned/partitioned_message.hpp"
#include "lapwing/transport/stream_list.hpp"

namespace lapwing {

/// One side of a stream whose messages are partitions. All partitions of a message are equal, so
/// each run of equal messages is one partitioned message, which is made when its first partition is
/// sent or received.
class PartitionedStream {
  public:
    /// A message of the stream.
    struct Partition {
        PartitionedMessage* message = nullptr;
        int which = 0;
    };

    /// `data`: where the stream lies; only read from where it is sent. `runs`: how it is cut, each
    /// with a `size` in bytes and a `count`. `opening`: tells the peer that this side is open, or
    /// is told by the peer.
    template <class Runs>
    PartitionedStream(std::span<std::byte> data, const Runs& runs,
                      const PartitionedMessage::Ends& ends, bool sends, MpiRequest opening)
        : memory_(data), ends_(ends), sends_(sends), opening_(std::move(opening)) {
        std::byte* place = data.data();
        for (const auto& run : runs) {
            for (std::uint64_t left = run.count; left > 0;) {
                const auto count = static_cast<int>(std::min<std::uint64_t>(left, INT_MAX));
                runs_.push_back({place, run.size, count, {}});
                place += run.size * static_cast<std::uint64_t>(count);
                left -= static_cast<std::uint64_t>(count);
            }
        }
    }
    PartitionedStream(const PartitionedStream&) = delete;
    PartitionedStream& operator=(const PartitionedStream&) = delete;
    /// Waits for all messages, unless an exception ends its scope: then the peer may never come.
    ~PartitionedStream() {
        if (std::uncaught_exceptions() <= exceptions_) return;
        for (Run& run : runs_) run.message.abandon();
    }

    [[nodiscard]] StreamMemory& memory() { return memory_; }
    void await_offer() {}
    void end() {}

    /// Sends or receives the next message of the stream, which is `bytes` at `data`. Throws
    /// `std::logic_error` for any other.
    [[nodiscard]] Partition next(const void* data, std::size_t bytes) {
        if (run_ == runs_.size() || bytes != runs_[run_].bytes ||
            data != runs_[run_].place + static_cast<std::size_t>(which_) * bytes)
            throw std::logic_error("partitioned: not the next message of the stream");
        Run& run = runs_[run_];
        if (which_ == 0)
            run.message =
                sends_ ? PartitionedMessage::sent(run.place, run.count, run.bytes, ends_)
                       : PartitionedMessage::received(run.place, run.count, run.bytes, ends_);
        if (sends_) run.message.ready(which_);
        const Partition partition{&run.message, which_};
        if (++which_ == run.count) {
            which_ = 0;
            ++run_;
        }
        return partition;
    }
    /// Whether a message has arrived, or all of its size have left. Lets MPI progress. Throws
    /// `std::runtime_error` where the peer's stream is cut in another way.
    [[nodiscard]] bool test(const Partition& partition) {
        if (sends_) return partition.message->test();
        return opening_.test() && partition.message->arrived(partition.which);
    }
    /// Returns when a message has arrived; at once if it is sent. Throws the same.
    void await(const Partition& partition) {
        if (sends_) return;
        opening_.wait();
        while (!partition.message->arrived(partition.which)) {
        }
    }

  private:
    /// Equal messages.
    struct Run {
        std::byte* place;
        std::size_t bytes;  ///< of each
        int count;
        PartitionedMessage message;
    };

    StreamMemory memory_;
    PartitionedMessage::Ends ends_;
    bool sends_;
    MpiRequest opening_;
    std::vector<Run> runs_;
    std::size_t run_ = 0;  ///< that of the next message
    int which_ = 0;        ///< the next message, in its run
    int exceptions_ = std::uncaught_exceptions();
};

}  // namespace lapwing
#endif

#pragma once

#include "lapwing/transport/partitioned/available.hpp"

#ifdef LAPWING_HAS_PARTITIONED
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <span>
#include <stdexcept>
#include <vector>

#include "lapwing/transport/mpi/expected_message.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"
#include "lapwing/transport/mpi/request.hpp"
#include "lapwing/transport/partitioned/partitioned_message.hpp"
#include "lapwing/transport/stream_list.hpp"
#include "lapwing/transport/tag.hpp"

namespace lapwing {

/// One side of a stream whose messages are partitions. Partitions of one message are equal, so a
/// partitioned message is a part of a run of equal messages. The sender says how many are together
/// when it opens its side.
class PartitionedStream {
  public:
    /// A message of the stream.
    struct Partition {
        std::size_t run = 0;
        std::uint64_t which = 0;  ///< in its run
    };

    /// `data`: where the stream lies; only read where it is sent. `messages`: a `Messages`, how it
    /// is cut. `together`: messages in each partitioned one; 0 where it is received.
    template <class Messages>
    PartitionedStream(std::span<std::byte> data, const Messages& messages,
                      const PartitionedMessage::Ends& ends, std::uint64_t together)
        : memory_(data), ends_(ends), sends_(together > 0), together_(together) {
        std::byte* place = data.data();
        for (const auto& run : messages.runs()) {
            runs_.push_back({place, run.size, run.count});
            place += run.size * run.count;
        }
        open(first_message_tag(messages.fingerprint()));
    }
    PartitionedStream(const PartitionedStream&) = delete;
    PartitionedStream& operator=(const PartitionedStream&) = delete;
    /// Waits for all messages, unless an exception ends its scope: then the peer may never come.
    ~PartitionedStream() {
        if (std::uncaught_exceptions() <= exceptions_) return;
        for (PartitionedMessage& message : messages_) message.abandon();
        if (sends_) return;
        MPI_Request opening = opening_.release();
        if (opening == MPI_REQUEST_NULL) return;
        MPI_Cancel(&opening);
        MPI_Wait(&opening, MPI_STATUS_IGNORE);
    }

    [[nodiscard]] StreamMemory& memory() { return memory_; }
    void await_offer() {}
    void end() {}

    /// Sends or receives the next message of the stream, which is `bytes` at `data`. Throws
    /// `std::logic_error` for any other.
    [[nodiscard]] Partition next(const void* data, std::size_t bytes) {
        const Partition partition = next_;
        if (next_.run == runs_.size() || bytes != runs_[next_.run].bytes ||
            data != runs_[next_.run].place + next_.which * bytes)
            throw std::logic_error("partitioned: not the next message of the stream");
        if (++next_.which == runs_[next_.run].count) next_ = {next_.run + 1, 0};
        if (sends_ || opening_.test()) start_messages();
        if (sends_) message_of(partition).ready(place_of(partition));
        return partition;
    }
    /// Whether a message has arrived, or left together with others. Lets MPI progress. Throws
    /// `std::runtime_error` where the peer's stream is cut in another way.
    [[nodiscard]] bool test(const Partition& partition) {
        if (sends_) return message_of(partition).test();
        if (!opening_.test()) return false;
        start_messages();
        return message_of(partition).arrived(place_of(partition));
    }
    /// Returns when a message has arrived; at once if it is sent. Throws the same.
    void await(const Partition& partition) {
        if (sends_) return;
        opening_.wait();
        start_messages();
        while (!message_of(partition).arrived(place_of(partition))) {
        }
    }

  private:
    /// Equal messages.
    struct Run {
        std::byte* place;
        std::size_t bytes;  ///< of each
        std::uint64_t count;
        std::uint64_t started = 0;    ///< partitions of messages that have been started
        std::size_t first_message{};  ///< in `messages_`, of those of this run
    };

    /// Tells the peer that this side is open, or is told so.
    void open(int tag) {
        MPI_Request handle = MPI_REQUEST_NULL;
        if (sends_) {
            check_mpi(MPI_Isend(&together_, 1, MPI_UINT64_T, ends_.peer, tag, ends_.communicator,
                                &handle),
                      "MPI_Isend", ends_.peer);
            opening_ = MpiRequest(handle, ends_.peer);
        } else {
            check_mpi(MPI_Irecv(&together_, 1, MPI_UINT64_T, ends_.peer, MPI_ANY_TAG,
                                ends_.communicator, &handle),
                      "MPI_Irecv", ends_.peer);
            opening_ = MpiRequest(handle, ends_.peer, ExpectedMessage(sizeof together_, tag, tag));
        }
    }
    /// Starts all partitioned messages that have begun: up to `next_`.
    void start_messages() {
        for (; starting_ < runs_.size(); ++starting_) {
            Run& run = runs_[starting_];
            const std::uint64_t begun = starting_ < next_.run ? run.count : next_.which;
            if (starting_ > next_.run || begun == 0) return;
            if (run.started == 0) run.first_message = messages_.size();
            while (run.started < begun) start_message(run);
            if (begun < run.count) return;
        }
    }
    void start_message(Run& run) {
        while (complete_ < messages_.size() && messages_[complete_].test()) ++complete_;
        std::byte* const place = run.place + run.started * run.bytes;
        const std::uint64_t partitions = std::min(together_, run.count - run.started);
        const auto count = static_cast<int>(partitions);
        messages_.push_back(sends_ ? PartitionedMessage::sent(place, count, run.bytes, ends_)
                                   : PartitionedMessage::received(place, count, run.bytes, ends_));
        run.started += partitions;
    }
    [[nodiscard]] PartitionedMessage& message_of(const Partition& partition) {
        return messages_[runs_[partition.run].first_message + partition.which / together_];
    }
    [[nodiscard]] int place_of(const Partition& partition) const {
        return static_cast<int>(partition.which % together_);
    }

    StreamMemory memory_;
    PartitionedMessage::Ends ends_;
    bool sends_;
    std::uint64_t together_;  ///< messages in each partitioned one
    MpiRequest opening_;
    std::vector<Run> runs_;
    Partition next_;            ///< the next message
    std::size_t starting_ = 0;  ///< run whose messages have not all been started
    std::deque<PartitionedMessage> messages_;
    std::size_t complete_ = 0;  ///< of those, from the first, known to be complete
    int exceptions_ = std::uncaught_exceptions();
};

}  // namespace lapwing
#endif

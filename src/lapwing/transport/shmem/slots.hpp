#pragma once

#include <cstddef>
#include <cstdint>

#include "lapwing/transport/shmem/protocol.hpp"
#include "lapwing/transport/shmem/symmetric_memory.hpp"

namespace lapwing::shmem {

/// The symmetric memory in which ranks tell each other of messages: rows of slots, one row for each
/// other PE.
class Slots {
  public:
    /// Collective over all PEs. `slots`: of a row.
    Slots(std::size_t pes, std::uint64_t slots)
        : slots_(slots),
          announcements_(pes * slots * sizeof(Announcement)),
          arrivals_(pes * slots * sizeof(Arrival)),
          counters_(pes * slots * sizeof(std::uint64_t)) {}

    [[nodiscard]] std::uint64_t per_row() const { return slots_; }
    /// That of an announcement of `receiver`, at its sender.
    [[nodiscard]] Announcement& announcement(int receiver, std::uint64_t slot) {
        return at<Announcement>(announcements_, receiver, slot);
    }
    /// Where `sender` tells of a message, at its receiver.
    [[nodiscard]] Arrival& arrival(int sender, std::uint64_t slot) {
        return at<Arrival>(arrivals_, sender, slot);
    }
    /// Where `sender` counts the bytes of a stream, at its receiver.
    [[nodiscard]] std::uint64_t& counter(int sender, std::uint64_t slot) {
        return at<std::uint64_t>(counters_, sender, slot);
    }

  private:
    template <class Entry>
    [[nodiscard]] Entry& at(SymmetricMemory& memory, int row, std::uint64_t slot) const {
        return reinterpret_cast<Entry*>(
            memory.data())[static_cast<std::size_t>(row) * slots_ + slot];
    }

    std::uint64_t slots_;
    SymmetricMemory announcements_;
    SymmetricMemory arrivals_;
    SymmetricMemory counters_;
};

}  // namespace lapwing::shmem

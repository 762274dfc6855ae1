#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace lapwing::observe {

// The events of one rank, in memory of fixed size as the table is.
// `python/lapwing/observe/events.py` reads it: both change together.

/// Something that happened.
struct RecordedEvent {
    enum class Kind : std::uint32_t {
        call,       ///< MPI was called, from `start` to `end`
        departure,  ///< a message was sent by the call that began at `start` and ended at `end`
        arrival,    ///< a message was received, likewise
    };

    Kind kind = Kind::call;
    std::uint32_t call = 0;    ///< index into `Table::call`
    double start = 0;          ///< seconds
    double end = 0;            ///< seconds
    std::int32_t peer = 0;     ///< of a message: the other rank in MPI_COMM_WORLD; below 0: any
    std::int32_t tag = 0;      ///< below 0: any
    std::uint64_t bytes = 0;   ///< of a call: what it sends, or else receives at most
    std::uint64_t posted = 0;  ///< of a message: in which order sends, or receives, were initiated
};

/// The latest events of a rank: older ones are overwritten.
struct EventRing {
    static constexpr std::uint64_t mark = 0x31455750414cULL;  // "LAPWE1"
    static constexpr std::size_t most = 1 << 16;

    std::uint64_t magic = mark;
    std::uint64_t rank = 0;
    std::uint64_t recorded = 0;  ///< in all; those beyond `most` have replaced others
    double origin = 0;           ///< seconds, when all ranks began: by it clocks of machines agree
    std::array<char, 64> host{};
    std::array<RecordedEvent, most> event;

    void add(const RecordedEvent& added) { event[recorded++ % most] = added; }
};

}  // namespace lapwing::observe

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace lapwing::shmem {

/// Bytes of a message that may be received outside of symmetric memory.
inline constexpr std::size_t small_message = 56;

/// Place of a message that goes into its `Arrival`.
inline constexpr std::uint64_t in_arrival = ~std::uint64_t{0};

/// The tag of streams.
inline constexpr std::int64_t stream_tag = -1;

/// What the receiver of a message writes at its sender: where the message with this tag is to go,
/// or the messages of a stream. The announcements of one receiver are numbered from 1, and each
/// names the slot of the next.
struct Announcement {
    std::uint64_t place = 0;  ///< bytes from the start of the symmetric memory, or `in_arrival`
    std::uint64_t bytes = 0;  ///< room for the message
    std::int64_t tag = 0;
    std::uint64_t next_slot = 0;
    std::uint64_t count = 0;   ///< of a stream: what its counter says before the first message
    std::uint64_t number = 0;  ///< written last: once it is there, all of it is
};

/// What the sender writes at the receiver, in the slot of the announcement.
struct Arrival {
    std::array<std::byte, small_message> data;  ///< of a message that goes `in_arrival`
    std::uint64_t number;  ///< of the announcement; written last: once it is there, the data is
};

/// A message on the sender's side.
struct Outgoing {
    const void* from = nullptr;
    std::size_t bytes = 0;
    int peer = -1;
    std::int64_t tag = 0;
    std::uint64_t slot = 0;         ///< of its announcement
    Announcement announcement{};    ///< once there is one
    std::uint64_t* told = nullptr;  ///< what says at the receiver that it has arrived
    std::uint64_t number = 0;       ///< that this says then; 0 until it is put
    std::uint64_t put = 0;          ///< its number among all messages that were put
    std::uint64_t seen = 0;         ///< the number read from `told`, or `fetching`
};

/// `Outgoing::seen` while it is being read.
inline constexpr std::uint64_t fetching = ~std::uint64_t{0};

/// A message on the receiver's side.
struct Incoming {
    int peer = -1;
    std::uint64_t* told = nullptr;  ///< what says that it has arrived
    std::uint64_t number = 0;       ///< that this says then, or a higher one
    Arrival* arrival = nullptr;     ///< of an announcement of its own; null in a stream
    std::uint64_t slot = 0;         ///< of that
    void* copy_to = nullptr;        ///< where to copy a message that goes `in_arrival`
    std::size_t bytes = 0;
};

/// An announcement that has not met its message yet.
struct Ready {
    int peer = -1;
    std::uint64_t slot = 0;
    Announcement announcement;
};

}  // namespace lapwing::shmem

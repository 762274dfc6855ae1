#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "lapwing/pipeline/flight.hpp"
#include "lapwing/pipeline/tag.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// The five schedules of Iancu and Strohmaier (2007, figure 6), for the rank that receives and
/// consumes; `feed` with a window of `outstanding(schedule, burst)` is their other side. They are
/// here to be compared with: `stream` is what a program uses.
enum class Schedule {
    A,  ///< blocking: each message received, then consumed
    B,  ///< all messages of a burst received, then all consumed: communication overlaps itself
    C,  ///< a burst initiated, then each message awaited and consumed (tight dependence)
    D,  ///< a burst initiated, the burst before it consumed, then all awaited (loose dependence)
    E,  ///< C, software-pipelined: burst k + 1 is initiated before burst k is consumed
};

/// Messages a schedule keeps in flight.
[[nodiscard]] constexpr int outstanding(Schedule schedule, int burst) {
    return schedule == Schedule::A ? 1 : schedule == Schedule::E ? 2 * burst : burst;
}

/// Receives `data` from rank `peer` in messages of `size` bytes, bursts of `burst`, and calls
/// `consume(offset, bytes)` for each in order.
template <Transport T, class Consume>
void run_schedule(Schedule schedule, T& transport, int peer, std::span<std::byte> data,
                  std::uint64_t size, int burst, Consume&& consume) {
    const std::uint64_t volume = data.size();
    const auto ahead = static_cast<std::uint64_t>(schedule == Schedule::A ? 1 : burst) * size;
    Flight<typename T::Request> flight(outstanding(schedule, burst), 0);
    std::uint64_t initiated = 0;
    const auto initiate_to = [&](std::uint64_t end) {
        for (end = std::min(end, volume); initiated < end;) {
            const std::uint64_t bytes = std::min(size, volume - initiated);
            flight.push(transport.receive(data.data() + initiated, bytes, peer,
                                          message_tag(initiated / size)));
            initiated += bytes;
        }
    };
    const auto for_each_message = [&](std::uint64_t from, std::uint64_t to, auto&& action) {
        for (; from < std::min(to, volume); from += size)
            action(from, std::min(size, volume - from));
    };
    const auto await = [&](std::uint64_t, std::uint64_t) { flight.wait_oldest(); };
    const auto await_and_consume = [&](std::uint64_t offset, std::uint64_t bytes) {
        flight.wait_oldest();
        consume(offset, bytes);
    };

    for (std::uint64_t start = 0; start < volume; start += ahead) {
        const std::uint64_t end = start + ahead;
        initiate_to(schedule == Schedule::E ? end + ahead : end);
        switch (schedule) {
            case Schedule::A:
            case Schedule::C:
            case Schedule::E:
                for_each_message(start, end, await_and_consume);
                break;
            case Schedule::B:
                for_each_message(start, end, await);
                for_each_message(start, end, consume);
                break;
            case Schedule::D:
                if (start > 0) for_each_message(start - ahead, start, consume);
                for_each_message(start, end, await);
                if (end >= volume) for_each_message(start, end, consume);
                break;
        }
    }
}

}  // namespace lapwing

#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::simulate {

/// What a rank does next, as an MPI program does it: one call after another.
struct Call {
    enum class Kind : std::uint8_t {
        end,      ///< the rank has ended
        compute,  ///< computes
        send,     ///< starts a send; the next call follows at once
        receive,  ///< starts a receive
        wait,     ///< waits for all messages of `groups`, and receives those that have arrived
        forget    ///< will never wait for the messages of `groups`
    };
    /// Any source or any tag, of a receive.
    static constexpr Rank any_rank = std::numeric_limits<Rank>::max();
    static constexpr std::uint64_t any_tag = std::numeric_limits<std::uint64_t>::max();

    Kind kind = Kind::end;
    Rank peer = 0;
    /// What a send or a receive belongs to, until it is waited for: a small number.
    std::uint32_t group = 0;
    std::uint64_t size = 0;  ///< bytes of a message, nanoseconds of a computation
    std::uint64_t tag = 0;
    std::uint64_t context = 0;  ///< messages of one context alone match each other
    std::uint32_t site = 0;     ///< the call site of a message, as its source numbers them
    std::span<const std::uint32_t> groups{};
};

/// What all ranks of a program do, asked for call by call.
class CallSource {
  public:
    CallSource() = default;
    CallSource(const CallSource&) = delete;
    CallSource& operator=(const CallSource&) = delete;
    virtual ~CallSource() = default;

    [[nodiscard]] virtual Rank ranks() const = 0;
    /// The next call of a rank. `groups` are there until the next call of that rank.
    [[nodiscard]] virtual Call next(Rank rank) = 0;
    /// Where a rank is, for messages about it: "record 17 of rank 3".
    [[nodiscard]] virtual std::string place(Rank rank) const = 0;
};

}  // namespace lapwing::simulate

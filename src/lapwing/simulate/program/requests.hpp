#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "lapwing/simulate/engine/time.hpp"
#include "lapwing/simulate/engine/wait_queue.hpp"
#include "lapwing/simulate/program/call.hpp"

namespace lapwing::simulate {

/// A send or a receive of a `CallProgram` that is under way. Numbers of requests in it link lists.
struct Request {
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    Rank from = 0;  ///< of a receive also `Call::any_rank`
    Rank to = 0;
    std::uint64_t bytes = 0;
    std::uint64_t tag = 0;
    std::uint64_t context = 0;
    std::uint64_t posting = 0;      ///< number of a receive in the order of posting
    std::uint32_t next = none;      ///< of its channel
    std::uint32_t before = none;    ///< among the messages that wait at their receiver
    std::uint32_t after = none;     ///< the same
    std::uint32_t in_group = none;  ///< the next one of its group
    bool receives = false;
    bool over = false;      ///< the send has ended, or the message has been received
    bool matched = false;   ///< a send whose message has met its receive
    bool awaited = false;   ///< its rank waits for it
    bool released = false;  ///< its rank has waited for it, or never will
    bool arrived = false;   ///< a receive whose message is there, and not received yet
    Pending message{};      ///< that one
};

/// The request that a rank's call makes: a send or a receive.
[[nodiscard]] inline Request request_of(const Call& call, Rank rank) {
    const bool receives = call.kind == Call::Kind::receive;
    return {.from = receives ? call.peer : rank,
            .to = receives ? rank : call.peer,
            .bytes = call.size,
            .tag = call.tag,
            .context = call.context,
            .receives = receives};
}

/// All requests under way. Numbers are used again.
class Requests {
  public:
    std::uint32_t add(const Request& request) {
        if (free_ == Request::none) {
            all_.push_back(request);
            return static_cast<std::uint32_t>(all_.size() - 1);
        }
        const std::uint32_t number = free_;
        free_ = all_[number].next;
        all_[number] = request;
        return number;
    }
    void remove(std::uint32_t number) {
        all_[number].awaited = false;
        all_[number].next = free_;
        free_ = number;
    }
    [[nodiscard]] Request& operator[](std::uint32_t number) { return all_[number]; }
    [[nodiscard]] const Request& operator[](std::uint32_t number) const { return all_[number]; }

    /// Numbers that were used so far. A request that was removed is not `awaited`.
    [[nodiscard]] std::uint32_t numbers() const { return static_cast<std::uint32_t>(all_.size()); }

  private:
    std::vector<Request> all_;
    std::uint32_t free_ = Request::none;
};

}  // namespace lapwing::simulate

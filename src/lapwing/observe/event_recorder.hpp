#pragma once

#include <cstdint>

#include "lapwing/observe/events.hpp"
#include "lapwing/observe/traffic.hpp"

namespace lapwing::observe {

/// A call and when it was made.
struct TimedCall {
    std::uint32_t call = 0;  ///< index into `Table::call`
    double start = 0;        ///< seconds
    double end = 0;          ///< seconds
};

/// Keeps the events of one rank, if there is memory for them. Never allocates.
class EventRecorder {
  public:
    /// `ring`: null keeps nothing.
    explicit EventRecorder(EventRing* ring) : ring_(ring) {}

    /// MPI was called.
    void call(const TimedCall& timed, const Traffic& traffic) {
        if (!ring_) return;
        const std::uint64_t bytes = traffic.sent ? traffic.sent : traffic.received;
        ring_->add({RecordedEvent::Kind::call, timed.call, timed.start, timed.end, traffic.peer(),
                    traffic.to.tag, bytes, 0});
    }
    /// A call sent what it has to send as a message.
    void departure(const TimedCall& timed, const Traffic& traffic) {
        if (!ring_ || !is_message(traffic, traffic.to)) return;
        ring_->add({RecordedEvent::Kind::departure, timed.call, timed.start, timed.end,
                    traffic.to.world_peer, traffic.to.tag, traffic.sent, sent_++});
    }
    /// A call initiated what it receives. Returns its number, for `arrival`.
    std::uint64_t post(const Traffic& traffic) {
        return ring_ && is_message(traffic, traffic.from) ? posted_++ : 0;
    }
    /// A call completed the receive of number `posted`.
    void arrival(const TimedCall& timed, const Traffic& traffic, std::uint64_t posted) {
        if (!ring_ || !is_message(traffic, traffic.from)) return;
        ring_->add({RecordedEvent::Kind::arrival, timed.call, timed.start, timed.end,
                    traffic.from.world_peer, traffic.from.tag, traffic.received, posted});
    }

  private:
    static bool is_message(const Traffic& traffic, const Endpoint& end) {
        return traffic.operation == Operation::messages && end.peer != Traffic::nobody;
    }

    EventRing* ring_;
    std::uint64_t sent_ = 0;
    std::uint64_t posted_ = 0;
};

}  // namespace lapwing::observe

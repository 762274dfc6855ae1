#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lapwing/pipeline/stream.hpp"
#include "lapwing/pipeline/window/message_order.hpp"
#include "lapwing/pipeline/window/message_window.hpp"
#include "lapwing/pipeline/window/receive_next.hpp"
#include "lapwing/transport/streams.hpp"
#include "lapwing/transport/transport.hpp"

namespace lapwing {

/// The five communication templates of Iancu and Strohmaier (2007, figure 6), for the rank that
/// receives and consumes. The other side is `feed` with a window of `outstanding(schedule, burst)`.
/// They are here to compare with: programs use `stream`.
enum class TemplateSchedule {
    A,  ///< blocking: receive a message, consume it, receive the next
    B,  ///< receive all messages of a burst, then consume them: communication overlaps itself
    C,  ///< initiate a burst, then await and consume message by message (tight dependence)
    D,  ///< initiate a burst, consume the one before it, await the burst (independent)
    E,  ///< C, software-pipelined: initiate burst k + 1, then await and consume burst k
};

/// Messages that a schedule keeps in flight.
[[nodiscard]] constexpr int outstanding(TemplateSchedule schedule, int burst) {
    return schedule == TemplateSchedule::A   ? 1
           : schedule == TemplateSchedule::E ? 2 * burst
                                             : burst;
}

/// The four things that a template does with messages.
template <Transport T, MessageOrder Order, class Consume>
class BurstReceiver {
  public:
    BurstReceiver(T& transport, Order order, int most_in_flight, Consume& consume)
        : transport_(transport),
          order_(std::move(order)),
          consume_(consume),
          in_flight_(most_in_flight, 0) {
        streams_.incoming(transport_, order_);
    }

    /// Initiates the next `burst` messages, or what is left, and returns how many that were.
    int initiate(int burst) {
        int count = 0;
        for (; count < burst && !order_.done(); ++count) {
            in_flight_.launch(
                [&] { return receive_next(transport_, order_, in_flight_.next_attachment()); });
        }
        return count;
    }
    /// Returns when the `count` oldest messages have arrived.
    void await(int count) {
        arrived_.clear();
        for (; count > 0; --count)
            in_flight_.wait_oldest(
                [&](const Destination& destination, Request&) { arrived_.push_back(destination); });
    }
    /// Consumes the messages that the last `await` was for.
    void consume_arrived() {
        for (const Destination& destination : arrived_) consume_(order_.piece(destination));
        arrived_.clear();
    }
    /// Awaits and consumes the `count` oldest messages, one by one.
    void await_and_consume(int count) {
        for (; count > 0; --count) {
            await(1);
            consume_arrived();
        }
    }

  private:
    using Destination = typename Order::Destination;
    using Request = typename T::Request;

    T& transport_;
    Order order_;
    [[no_unique_address]] OpenStreams<T> streams_;
    Consume& consume_;
    MessageWindow<Request, Destination> in_flight_;
    std::vector<Destination> arrived_;
};

/// Template A of figure 6: blocking.
template <class Receiver>
void run_template_a(Receiver& messages) {
    while (messages.initiate(1) > 0) messages.await_and_consume(1);
}

/// Template B: bursts, without computation meanwhile.
template <class Receiver>
void run_template_b(Receiver& messages, int burst) {
    while (const int count = messages.initiate(burst)) {
        messages.await(count);
        messages.consume_arrived();
    }
}

/// Template C: the rest of a burst travels while its first messages are consumed.
template <class Receiver>
void run_template_c(Receiver& messages, int burst) {
    while (const int count = messages.initiate(burst)) messages.await_and_consume(count);
}

/// Template D: a burst travels while the one before it is consumed.
template <class Receiver>
void run_template_d(Receiver& messages, int burst) {
    while (const int count = messages.initiate(burst)) {
        messages.consume_arrived();
        messages.await(count);
    }
    messages.consume_arrived();
}

/// Template E: C, with the next burst in flight as well.
template <class Receiver>
void run_template_e(Receiver& messages, int burst) {
    for (int present = messages.initiate(burst); present > 0;) {
        const int next = messages.initiate(burst);
        messages.await_and_consume(present);
        present = next;
    }
}

/// Receives the messages of `order` in bursts of `burst` messages, as `schedule` says, and calls
/// `consume(piece)` for each of them in order.
template <MessageOrder Order, Transport T, class Consume>
void run_schedule(TemplateSchedule schedule, T& transport, Order order, int burst,
                  Consume&& consume) {
    BurstReceiver messages(transport, std::move(order), outstanding(schedule, burst), consume);
    switch (schedule) {
        case TemplateSchedule::A:
            return run_template_a(messages);
        case TemplateSchedule::B:
            return run_template_b(messages, burst);
        case TemplateSchedule::C:
            return run_template_c(messages, burst);
        case TemplateSchedule::D:
            return run_template_d(messages, burst);
        case TemplateSchedule::E:
            return run_template_e(messages, burst);
    }
}

/// The same for bytes from one rank, in messages of `size` bytes: calls `consume(offset, bytes)`
/// for each message.
template <Transport T, class Consume>
void run_schedule(TemplateSchedule schedule, const Source<T, std::byte>& source, std::uint64_t size,
                  int burst, Consume&& consume) {
    const auto messages = Messages::uniform(source.data.size(), size);
    run_schedule(schedule, source.transport, StreamOrder<std::byte>(source, messages), burst,
                 [&](const Piece<std::byte>& piece) { consume(piece.first, piece.data.size()); });
}

}  // namespace lapwing

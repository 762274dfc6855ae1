#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "lapwing/simulate/engine/event.hpp"
#include "lapwing/simulate/engine/event_queue.hpp"
#include "lapwing/simulate/engine/limits.hpp"
#include "lapwing/simulate/engine/observer.hpp"
#include "lapwing/simulate/engine/result.hpp"
#include "lapwing/simulate/engine/time.hpp"
#include "lapwing/simulate/engine/wait_queue.hpp"

namespace lapwing::simulate {

/// Simulates ranks with processors and network interfaces, event by event.
///
/// A send starts when its resources are free, a message that has arrived is received when its
/// host's are, a calculation starts when its processor is. Of operations that wait for the same
/// resource the one with the lowest place is first. Posting a receive takes no time: it only lets a
/// message be matched.
///
/// `Network` is what lies between processors, and costs: `DirectNetwork`, where messages arrive
/// after a fixed time, or `LinkNetwork`, where they contend for links. `Ports` says when each
/// resource is free. `Program` is what the ranks do (`StepProgram`, `GraphProgram`): the machine
/// asks it about operations and tells it what has happened. `Watch` is called with each `Interval`
/// in which a resource is busy.
///
/// What the machine asks of a program, whose operations have ids:
///     begin(machine)                  tells the machine of all operations that are ready at 0
///     pair_of(id)                     the processor and interface that an operation uses
///     send(host, id, key)             receiver, bytes and key of a message that is to be sent
///     calculation(host, id)           its nanoseconds
///     is_receive_overhead(id)         whether a calculation stands for a receive overhead
/// and tells it, after which the program may name operations that are ready:
///     send_started(host, id)          a send starts
///     sent(machine, host, id, eager)  a message has been handed over; an eager send has ended
///     send_over(machine, host, id)    on links, a rendezvous has left them: its send has ended
///     receive(machine, event)         a receive is posted
///     arrived(machine, host, message)   a message is to be matched
///     delivered(machine, host, message)  on links, it is there: `receive_when_free`
///     received(machine, host, message)  on links, it has been received
///     calculated(machine, host, id)   a calculation has started, and its end is known
///     check_ended()                   throws `Deadlock` if an operation has not ended
///
/// Real machines leave the order of simultaneous events to chance. Here events have places, drawn
/// from `places` when they come into being. They follow the simulator that each kind of machine is
/// compared with, LogGOPSim or SimGrid. docs/simulate-reference.md has the rules ("Simultaneous
/// events"); `tests/simulate/engine/machine.cpp` and `costs/measured_machine.cpp` hold them.
template <class Network, class Ports, class Program, class Watch = Unobserved>
class Machine {
  public:
    /// Whether messages contend for links.
    static constexpr bool on_links = Network::on_links;

    Machine(Network network, Ports ports, std::size_t ranks, Program& program,
            Watch watch = Watch{})
        : network_(std::move(network)),
          ports_(std::move(ports)),
          ranks_(ranks),
          program_(program),
          watch_(watch) {
        queues_.resize(ranks * ports_.pairs());
    }

    /// Runs the program to its end or limits. Throws `std::invalid_argument` beyond `longest_time`.
    [[nodiscard]] Result run(const Limits& limits) {
        program_.begin(*this);
        Result result;
        for (Event event; now_ <= limits.time && network_.link_updates() <= limits.link_updates &&
                          events_.pop(event);) {
            now_ = event.time;
            if (now_ > longest_time) too_long();
            handle(event);
        }
        result.rank_finish.resize(ranks_);
        for (std::size_t host = 0; host < ranks_; ++host) {
            result.rank_finish[host] = ports_.finish(host);
            result.finish = std::max(result.finish, result.rank_finish[host]);
        }
        result.link_updates = network_.link_updates();
        result.ended = std::max(now_, result.finish) <= limits.time &&
                       result.link_updates <= limits.link_updates;
        result.messages = messages_;
        result.events = operations_ + messages_;
        return result;
    }

    // What a program asks of the machine.

    [[nodiscard]] Time now() const { return now_; }
    /// The first of the next `count` places among the events of one time.
    std::uint64_t places(std::uint64_t count) {
        const std::uint64_t first = place_;
        place_ += count;
        return first;
    }
    /// `count` sends of operation `id` of `host` are ready, from the `key`-th on, one by one.
    void ready_sends(Rank host, std::uint32_t id, std::uint32_t key, std::uint64_t count,
                     std::size_t pair, std::uint64_t place) {
        operations_ += count;
        const Time time = network_.free_to_send(ports_, host, pair);
        const Pending run{.place = place, .size = count, .id = id, .key = key};
        if (on_links && time > now_) return wait_to_send(host, pair, run);
        push_operation(Kind::send, time, place, host, run);
    }
    void ready_calculation(Rank host, std::uint32_t id, std::size_t pair, std::uint64_t place) {
        ++operations_;
        const Time time = ports_.processor(host, pair);
        if (on_links && time > now_)
            return wait_to_calculate(host, pair, {.place = place, .size = 1, .id = id});
        // A message may arrive at the very time at which the processor becomes free for it: then
        // its overhead takes the place of what has just ended.
        std::uint64_t turn = place;
        if constexpr (on_links)
            if (program_.is_receive_overhead(id))
                turn = network_.place_of_last(host, pair, now_, place);
        push_operation(Kind::calculation, time, turn, host, {.size = place, .id = id});
    }
    /// When a receive that becomes ready now is posted.
    [[nodiscard]] Time posting(Rank host, std::size_t pair) { return ports_.processor(host, pair); }
    /// Ticks of the processor to send a message, on links.
    [[nodiscard]] Time send_overhead(Rank from, Rank to, std::uint64_t size) const {
        return network_.send_overhead(from, to, size);
    }
    /// A receive is ready, and is posted as soon as the processor is free.
    void ready_receive(Rank host, std::uint32_t id, std::size_t pair, std::uint64_t place) {
        const Time time = posting(host, pair);
        post(host, id, time, network_.place_of_end(host, pair, time, now_, place));
    }
    /// A receive is posted at `time`.
    void post(Rank host, std::uint32_t id, Time time, std::uint64_t place) {
        push_operation(Kind::receive, time, place, host, {.size = 1, .id = id});
    }
    void count_receives(std::uint64_t count) { operations_ += count; }
    [[nodiscard]] bool rendezvous(Rank from, Rank to, std::uint64_t size) const {
        return network_.rendezvous(from, to, size);
    }
    /// A rendezvous has met its receive: what its sender does next starts no earlier than now.
    void released(Rank host, std::size_t pair) {
        Time& processor = ports_.processor(host, pair);
        Time& sending = ports_.sending(host, pair);
        processor = std::max(processor, now_);
        sending = std::max(sending, now_);
    }
    /// On links, a message has met its receive.
    void met(Rank host, const Pending& message) { network_.met(*this, host, message); }

    // What a network asks of the machine.

    void push(const Event& event) { events_.push(event); }
    [[nodiscard]] Ports& ports() { return ports_; }
    [[nodiscard]] Program& program() { return program_; }
    /// The processor receives `message` now, or when it is free and has started all sends that are
    /// ready.
    void receive_when_free(Rank host, std::size_t pair, const Pending& message) {
        Queues& queued = queues(host, pair);
        if (queued.sends.empty() && network_.free_to_receive(ports_, host, pair) <= now_) {
            receive(host, pair, message);
        } else if (store_.insert(queued.messages, message) && queued.sends.empty()) {
            retry(Kind::retry_message, network_.free_to_receive(ports_, host, pair), message.place,
                  host, pair);
        }
    }
    /// Something keeps a resource busy for a message that `event` carries, at its sender's end.
    void sending(Resource resource, Rank owner, const Event& event, Time start, Time end) const {
        watch_({.resource = resource,
                .operation = Operation::send,
                .rank = event.peer,
                .owner = owner,
                .pair = static_cast<std::uint32_t>(program_.pair_of(event.id)),
                .peer = event.host,
                .bytes = event.size,
                .start = start,
                .end = end});
    }
    /// The same at the end of its receiver, `host`.
    void receiving(Resource resource, Rank owner, Rank host, const Pending& message, Time start,
                   Time end) const {
        watch_({.resource = resource,
                .operation = Operation::receive,
                .rank = host,
                .owner = owner,
                .pair = static_cast<std::uint32_t>(program_.pair_of(message.id)),
                .peer = message.peer,
                .bytes = message.size,
                .start = start,
                .end = end});
    }

  private:
    /// What waits for a processor.
    struct Queues {
        WaitQueue sends;
        WaitQueue messages;
        WaitQueue calculations;
    };

    [[nodiscard]] Queues& queues(Rank host, std::size_t pair) {
        return queues_[host * ports_.pairs() + pair];
    }

    /// Something about an operation of `host` happens at `time`, in `place`.
    void push_operation(Kind kind, Time time, std::uint64_t place, Rank host,
                        const Pending& operation) {
        events_.push({.time = time,
                      .order = Event::ordered(place, kind),
                      .size = operation.size,
                      .host = host,
                      .peer = 0,
                      .id = operation.id,
                      .key = operation.key});
    }

    void handle(const Event& event) {
        switch (event.kind()) {
            case Kind::message:
                message(event);
                break;
            case Kind::send:
                send(event);
                break;
            case Kind::receive:
                program_.receive(*this, event);
                break;
            case Kind::calculation:
                calculation(event);
                break;
            case Kind::retry_send:
                retry_send(event);
                break;
            case Kind::retry_message:
                retry_message(event);
                break;
            case Kind::retry_calculation:
                retry_calculation(event);
                break;
            default:
                if constexpr (on_links) network_.handle(*this, event);
                break;
        }
    }

    /// Tries the first of a queue again at `time`: the event's `key` says which of the host's
    /// queues it is, and its `size` the place of what was first in it.
    void retry(Kind kind, Time time, std::uint64_t place, Rank host, std::size_t pair) {
        push_operation(kind, time, network_.place_of_end(host, pair, time, now_, place), host,
                       {.size = place, .key = static_cast<std::uint32_t>(pair)});
    }

    // Sends. A run of them is one event, and one `Pending`.

    void send(const Event& event) {
        const std::size_t pair = program_.pair_of(event.id);
        Pending run = pending(event);
        if (start_sends(event.host, pair, run)) wait_to_send(event.host, pair, run);
    }
    void wait_to_send(Rank host, std::size_t pair, const Pending& run) {
        if (store_.insert(queues(host, pair).sends, run))
            retry(Kind::retry_send, network_.free_to_send(ports_, host, pair), run.place, host,
                  pair);
    }
    void retry_send(const Event& event) {
        const std::size_t pair = event.key;
        WaitQueue& queue = queues(event.host, pair).sends;
        if (queue.empty() || store_.front(queue).place != event.size) return;
        if (!start_sends(event.host, pair, store_.front(queue))) store_.pop(queue);
        if (!queue.empty()) {
            retry(Kind::retry_send, network_.free_to_send(ports_, event.host, pair),
                  store_.front(queue).place, event.host, pair);
        } else if constexpr (on_links) {
            // Messages that have arrived meanwhile had to wait for all of the sends.
            WaitQueue& messages = queues(event.host, pair).messages;
            if (!messages.empty())
                retry(Kind::retry_message, network_.free_to_receive(ports_, event.host, pair),
                      store_.front(messages).place, event.host, pair);
        }
    }
    /// Starts as many sends of a run as resources are free for; returns whether some are left.
    bool start_sends(Rank host, std::size_t pair, Pending& run) {
        while (network_.free_to_send(ports_, host, pair) <= now_) {
            start_send(host, pair, run);
            if (--run.size == 0) return false;
            ++run.place;
            ++run.key;
        }
        return true;
    }
    void start_send(Rank host, std::size_t pair, const Pending& run) {
        program_.send_started(host, run.id);
        const auto message = program_.send(host, run.id, run.key);
        events_.push(network_.send(*this, pair,
                                   {.time = 0,
                                    .order = 0,
                                    .size = message.bytes,
                                    .host = message.to,
                                    .peer = host,
                                    .id = run.id,
                                    .key = message.key}));
        program_.sent(*this, host, run.id, !network_.rendezvous(host, message.to, message.bytes));
    }

    // Messages.

    void message(const Event& event) {
        if constexpr (on_links) return network_.arrived(*this, event);
        const std::size_t pair = program_.pair_of(event.id);
        if (network_.free_to_receive(ports_, event.host, pair) <= now_) {
            receive(event.host, pair, pending(event));
        } else if (store_.insert(queues(event.host, pair).messages, pending(event))) {
            retry(Kind::retry_message, network_.free_to_receive(ports_, event.host, pair),
                  event.place(), event.host, pair);
        }
    }
    void retry_message(const Event& event) {
        const std::size_t pair = event.key;
        WaitQueue& queue = queues(event.host, pair).messages;
        if (queue.empty() || store_.front(queue).place != event.size) return;
        if constexpr (on_links)
            if (!queues(event.host, pair).sends.empty()) return;
        if (network_.free_to_receive(ports_, event.host, pair) <= now_) {
            const Pending first = store_.front(queue);
            store_.pop(queue);
            receive(event.host, pair, first);
        }
        if (!queue.empty())
            retry(Kind::retry_message, network_.free_to_receive(ports_, event.host, pair),
                  store_.front(queue).place, event.host, pair);
    }
    /// The processor is free, and receives a message.
    void receive(Rank host, std::size_t pair, const Pending& message) {
        ++messages_;
        network_.receive(*this, host, pair, message);
    }

    // Calculations.

    void calculation(const Event& event) {
        const std::size_t pair = program_.pair_of(event.id);
        if (ports_.processor(event.host, pair) <= now_) {
            calculate(event.host, pair, event.id);
        } else {
            wait_to_calculate(event.host, pair, {.place = event.size, .size = 1, .id = event.id});
        }
    }
    void wait_to_calculate(Rank host, std::size_t pair, const Pending& calculation) {
        if (store_.insert(queues(host, pair).calculations, calculation))
            retry(Kind::retry_calculation, ports_.processor(host, pair), calculation.place, host,
                  pair);
    }
    void retry_calculation(const Event& event) {
        const std::size_t pair = event.key;
        WaitQueue& queue = queues(event.host, pair).calculations;
        if (queue.empty() || store_.front(queue).place != event.size) return;
        if (ports_.processor(event.host, pair) <= now_) {
            const std::uint32_t id = store_.front(queue).id;
            store_.pop(queue);
            calculate(event.host, pair, id);
        }
        if (!queue.empty())
            retry(Kind::retry_calculation, ports_.processor(event.host, pair),
                  store_.front(queue).place, event.host, pair);
    }
    void calculate(Rank host, std::size_t pair, std::uint32_t id) {
        const Time calculation = program_.calculation(host, id);
        if (calculation > longest_part / Network::nanosecond) too_long();
        const Time end = now_ + calculation * Network::nanosecond;
        ports_.processor(host, pair) = end;
        if constexpr (on_links)
            network_.busy_until(*this, host, pair, end, !program_.is_receive_overhead(id));
        watch_({.resource = Resource::processor,
                .operation = Operation::calculation,
                .rank = host,
                .owner = host,
                .pair = static_cast<std::uint32_t>(pair),
                .peer = host,
                .bytes = 0,
                .start = now_,
                .end = end});
        program_.calculated(*this, host, id);
    }

    Network network_;
    Ports ports_;
    std::size_t ranks_;
    Program& program_;
    [[no_unique_address]] Watch watch_;
    EventQueue events_;
    WaitQueueStore store_;
    std::vector<Queues> queues_;
    Time now_ = 0;
    std::uint64_t place_ = 0;
    std::uint64_t operations_ = 0;
    std::uint64_t messages_ = 0;
};

}  // namespace lapwing::simulate

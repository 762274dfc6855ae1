#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/simulate/event.hpp"
#include "lapwing/simulate/event_queue.hpp"
#include "lapwing/simulate/result.hpp"
#include "lapwing/simulate/time.hpp"
#include "lapwing/simulate/waiting.hpp"

namespace lapwing::simulate {

/// Hosts with processors and network interfaces, and what happens on them in the order of time.
///
/// A send starts when its processor and its sending interface are free, a message is taken up when
/// its host's processor and receiving interface are, a calculation when its processor is; of those
/// that wait for the same, the one that came into being first is first. A receive takes nothing: it
/// only lets a message be met. This is LogGOPSim's machine, and its ties are broken the same way:
/// - events of one time happen in the order in which they came into being: operations when the last
///   thing they depend on ended, messages when they were sent;
/// - operations of a rank that become ready together do so in the order sends, receives,
///   calculations, those of a kind as `std::sort` leaves them (it is stable up to 16);
/// - where two ranks become ready together, the lower rank is first;
/// - an operation that becomes ready starts when its own processor is free, even if that is on
///   another processor than what it waited for, which may end later.
///
/// With costs whose `interfaces_work_alone` (see `Measured`) the processor only hands messages
/// over: they leave and enter through the interfaces of nodes one after another, in the order in
/// which they come, and then wait for the receiver's processor in the order in which they are
/// there.
///
/// `Costs` says what a message costs (see `LogGOPS`), `Ports` when resources are free, and
/// `Program` what the ranks do: it is asked about operations and told what happened.
template <class Costs, class Ports, class Program>
class Machine {
  public:
    Machine(const Costs& costs, Ports ports, std::size_t ranks, Program& program)
        : costs_(costs), ports_(std::move(ports)), ranks_(ranks), program_(program) {
        queues_.resize(ranks * ports_.pairs());
    }

    [[nodiscard]] Result run() {
        program_.begin(*this);
        Event event;
        while (events_.pop(event)) {
            now_ = event.time;
            switch (event.kind()) {
                case Kind::message:
                    message(event);
                    break;
                case Kind::entering:
                    if constexpr (interfaces_work_alone) enter(event);
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
            }
        }
        Result result;
        result.rank_finish.resize(ranks_);
        for (std::size_t host = 0; host < ranks_; ++host) {
            result.rank_finish[host] = ports_.finish(host);
            result.finish = std::max(result.finish, result.rank_finish[host]);
        }
        result.messages = messages_;
        result.events = operations_ + messages_;
        return result;
    }

    // What a program asks of the machine.

    [[nodiscard]] Time now() const { return now_; }
    /// The next `count` places among the events of one time.
    std::uint64_t places(std::uint64_t count) {
        const std::uint64_t first = place_;
        place_ += count;
        return first;
    }
    /// `count` sends of `host` are ready, one after the other: `id`, from the `key`-th on.
    void ready_sends(Rank host, std::uint32_t id, std::uint32_t key, std::uint64_t count,
                     std::size_t pair, std::uint64_t place) {
        operations_ += count;
        events_.push({.time = free_to_send(host, pair),
                      .order = Event::ordered(place, Kind::send),
                      .size = count,
                      .host = host,
                      .peer = 0,
                      .id = id,
                      .key = key});
    }
    void ready_calculation(Rank host, std::uint32_t id, std::size_t pair, std::uint64_t place) {
        ++operations_;
        events_.push({.time = ports_.processor(host, pair),
                      .order = Event::ordered(place, Kind::calculation),
                      .size = 1,
                      .host = host,
                      .peer = 0,
                      .id = id,
                      .key = 0});
    }
    /// When a receive that becomes ready now is posted.
    [[nodiscard]] Time posting(Rank host, std::size_t pair) { return ports_.processor(host, pair); }
    void ready_receive(Rank host, std::uint32_t id, Time time, std::uint64_t place) {
        events_.push({.time = time,
                      .order = Event::ordered(place, Kind::receive),
                      .size = 1,
                      .host = host,
                      .peer = 0,
                      .id = id,
                      .key = 0});
    }
    void count_receives(std::uint64_t count) { operations_ += count; }
    [[nodiscard]] bool rendezvous(Rank from, Rank to, std::uint64_t size) const {
        return costs_.rendezvous(from, to, size);
    }
    /// A rendezvous has met its receive: what its sender does next starts no earlier than now.
    void released(Rank host, std::size_t pair) {
        Time& processor = ports_.processor(host, pair);
        Time& sending = ports_.sending(host, pair);
        processor = std::max(processor, now_);
        sending = std::max(sending, now_);
    }

  private:
    static constexpr bool interfaces_work_alone = requires { Costs::interfaces_work_alone; };

    struct Queues {
        WaitingQueue sends;
        WaitingQueue messages;
        WaitingQueue calculations;
    };

    [[nodiscard]] Queues& queues(Rank host, std::size_t pair) {
        return queues_[host * ports_.pairs() + pair];
    }
    [[nodiscard]] Time free_to_send(Rank host, std::size_t pair) {
        if constexpr (interfaces_work_alone) return ports_.processor(host, pair);
        return std::max(ports_.processor(host, pair), ports_.sending(host, pair));
    }
    [[nodiscard]] Time free_to_receive(Rank host, std::size_t pair) {
        if constexpr (interfaces_work_alone) return ports_.processor(host, pair);
        return std::max(ports_.processor(host, pair), ports_.receiving(host, pair));
    }
    /// Tries the first of a queue again at `time`; `key` says which of the host's queues it is.
    void retry(Kind kind, Time time, std::uint64_t place, Rank host, std::size_t pair) {
        events_.push({.time = time,
                      .order = Event::ordered(place, kind),
                      .size = 0,
                      .host = host,
                      .peer = 0,
                      .id = 0,
                      .key = static_cast<std::uint32_t>(pair)});
    }
    static Waiting waiting(const Event& event) {
        return {.place = event.place(),
                .size = event.size,
                .peer = event.peer,
                .id = event.id,
                .key = event.key};
    }

    // Sends. A run of them is one event, and one thing that waits.

    void send(const Event& event) {
        const std::size_t pair = program_.pair_of(event.id);
        Waiting run = waiting(event);
        if (!start_sends(event.host, pair, run)) return;
        if (store_.insert(queues(event.host, pair).sends, run))
            retry(Kind::retry_send, free_to_send(event.host, pair), run.place, event.host, pair);
    }
    void retry_send(const Event& event) {
        const std::size_t pair = event.key;
        WaitingQueue& queue = queues(event.host, pair).sends;
        if (queue.empty() || store_.front(queue).place != event.place()) return;
        if (!start_sends(event.host, pair, store_.front(queue))) store_.pop(queue);
        if (!queue.empty())
            retry(Kind::retry_send, free_to_send(event.host, pair), store_.front(queue).place,
                  event.host, pair);
    }
    /// Starts what can be started of a run; whether some is left.
    bool start_sends(Rank host, std::size_t pair, Waiting& run) {
        while (free_to_send(host, pair) <= now_) {
            start_send(host, pair, run);
            if (--run.size == 0) return false;
            ++run.place;
            ++run.key;
        }
        return true;
    }
    void start_send(Rank host, std::size_t pair, const Waiting& run) {
        program_.send_started(host, run.id);
        const auto message = program_.send(host, run.id, run.key);
        Event event{.time = 0,
                    .order = 0,
                    .size = message.bytes,
                    .host = message.to,
                    .peer = host,
                    .id = run.id,
                    .key = message.key};
        if constexpr (interfaces_work_alone) {
            leave(event, pair);
        } else {
            const auto cost = costs_.send(host, message.to, message.bytes);
            ports_.processor(host, pair) = now_ + cost.processor;
            ports_.sending(host, pair) = now_ + cost.interface;
            event.time = now_ + costs_.flight(host, message.to, message.bytes);
            event.order = Event::ordered(places(1), Kind::message);
        }
        events_.push(event);
        program_.sent(*this, host, run.id, !costs_.rendezvous(host, message.to, message.bytes));
    }

    // Messages on interfaces of their own.

    /// The processor hands a message over, and the interface lets it go when it is its turn.
    void leave(Event& event, std::size_t pair) {
        const auto cost = costs_.cost(event.peer, event.host, event.size);
        Time& processor = ports_.processor(event.peer, pair);
        processor = now_ + cost.send;
        if (costs_.within_node(event.peer, event.host)) {
            event.time = processor + cost.latency + cost.wire;
            event.order = Event::ordered(places(1), Kind::message);
            return;
        }
        Time& sending = ports_.sending(costs_.node(event.peer), pair);
        const Time start = std::max(processor, sending);
        sending = start + cost.wire;
        event.time = start + cost.latency;
        event.order = Event::ordered(places(1), Kind::entering);
    }
    /// The first byte of a message is at the interface of its receiver's node.
    void enter(Event event) {
        const std::size_t pair = program_.pair_of(event.id);
        Time& receiving = ports_.receiving(costs_.node(event.host), pair);
        receiving =
            std::max(receiving, now_) + costs_.cost(event.peer, event.host, event.size).wire;
        event.time = receiving;
        event.order = Event::ordered(places(1), Kind::message);
        events_.push(event);
    }

    // Messages.

    void message(const Event& event) {
        const std::size_t pair = program_.pair_of(event.id);
        if (free_to_receive(event.host, pair) <= now_) {
            take(event.host, pair, waiting(event));
        } else if (store_.insert(queues(event.host, pair).messages, waiting(event))) {
            retry(Kind::retry_message, free_to_receive(event.host, pair), event.place(), event.host,
                  pair);
        }
    }
    void retry_message(const Event& event) {
        const std::size_t pair = event.key;
        WaitingQueue& queue = queues(event.host, pair).messages;
        if (queue.empty() || store_.front(queue).place != event.place()) return;
        if (free_to_receive(event.host, pair) <= now_) {
            const Waiting first = store_.front(queue);
            store_.pop(queue);
            take(event.host, pair, first);
        }
        if (!queue.empty())
            retry(Kind::retry_message, free_to_receive(event.host, pair), store_.front(queue).place,
                  event.host, pair);
    }
    void take(Rank host, std::size_t pair, const Waiting& message) {
        ++messages_;
        if constexpr (interfaces_work_alone) {
            ports_.processor(host, pair) =
                now_ + costs_.cost(message.peer, host, message.size).receive;
        } else {
            const auto cost = costs_.receive(message.peer, host, message.size);
            ports_.processor(host, pair) = now_ + cost.processor;
            ports_.receiving(host, pair) = now_ + cost.interface;
        }
        program_.arrived(*this, host, message);
    }

    // Calculations.

    void calculation(const Event& event) {
        const std::size_t pair = program_.pair_of(event.id);
        if (ports_.processor(event.host, pair) <= now_) {
            calculate(event.host, pair, event.id);
        } else if (store_.insert(queues(event.host, pair).calculations, waiting(event))) {
            retry(Kind::retry_calculation, ports_.processor(event.host, pair), event.place(),
                  event.host, pair);
        }
    }
    void retry_calculation(const Event& event) {
        const std::size_t pair = event.key;
        WaitingQueue& queue = queues(event.host, pair).calculations;
        if (queue.empty() || store_.front(queue).place != event.place()) return;
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
        ports_.processor(host, pair) = now_ + program_.calculation(host, id) * Costs::nanosecond;
        program_.calculated(*this, host, id);
    }

    Costs costs_;
    Ports ports_;
    std::size_t ranks_;
    Program& program_;
    EventQueue events_;
    WaitingStore store_;
    std::vector<Queues> queues_;
    Time now_ = 0;
    std::uint64_t place_ = 0;
    std::uint64_t operations_ = 0;
    std::uint64_t messages_ = 0;
};

}  // namespace lapwing::simulate

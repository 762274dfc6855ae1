#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "lapwing/simulate/engine/event.hpp"
#include "lapwing/simulate/engine/event_queue.hpp"
#include "lapwing/simulate/engine/no_links.hpp"
#include "lapwing/simulate/engine/observer.hpp"
#include "lapwing/simulate/engine/result.hpp"
#include "lapwing/simulate/engine/time.hpp"
#include "lapwing/simulate/engine/wait_queue.hpp"

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
/// With `Links` (see `SerialisingLinks`, `SharingLinks`) the processor only hands messages over,
/// and what they contend for on their way is links. A message that `waits` for its receive starts
/// on its way when both are there, any other when it was handed over; the first byte then takes its
/// latency until the links, which the message holds until its last byte is over. It is taken up
/// when its receive is there and the processor is free and has handed over all that it was to send
/// at the time. Of what several processors begin at one time and end at one time, computations end
/// in the order in which they began, and of what is done about messages what began last ends first:
/// on a real machine chance decides it, here it is as in SimGrid.
///
/// `Costs` says what a message costs (see `LogGOPS`, and with links `MeasuredMachine`), `Ports`
/// when resources are free, and `Program` what the ranks do: it is asked about operations and told
/// what happened. `Watch` is called with each `Interval` in which a resource is busy.
template <class Costs, class Ports, class Program, class Links = NoLinks, class Watch = Unobserved>
class Machine {
  public:
    /// Whether messages contend for links.
    static constexpr bool on_links = !std::is_same_v<Links, NoLinks>;

    Machine(const Costs& costs, Ports ports, std::size_t ranks, Program& program,
            Links links = Links{}, Watch watch = Watch{})
        : costs_(costs),
          ports_(std::move(ports)),
          ranks_(ranks),
          program_(program),
          links_(std::move(links)),
          watch_(watch) {
        queues_.resize(ranks * ports_.pairs());
        if constexpr (on_links) endings_.resize(queues_.size());
    }

    /// `max_link_updates`: at links that messages share, after which to give up.
    [[nodiscard]] Result run(std::uint64_t max_link_updates = unlimited_link_updates) {
        program_.begin(*this);
        Event event;
        Result result;
        while (result.ended && events_.pop(event)) {
            now_ = event.time;
            if (now_ > longest_time) too_long();
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
                    if constexpr (on_links) on_its_way(event);
                    break;
            }
            if constexpr (shared) result.ended = links_.link_updates() <= max_link_updates;
        }
        result.rank_finish.resize(ranks_);
        for (std::size_t host = 0; host < ranks_; ++host) {
            result.rank_finish[host] = ports_.finish(host);
            result.finish = std::max(result.finish, result.rank_finish[host]);
        }
        result.messages = messages_;
        result.events = operations_ + messages_;
        if constexpr (shared) result.link_updates = links_.link_updates();
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
        const Time time = free_to_send(host, pair);
        if (on_links && time > now_) {
            wait_to_send(host, pair,
                         {.place = place, .size = count, .peer = 0, .id = id, .key = key});
            return;
        }
        events_.push({.time = time,
                      .order = Event::ordered(place, Kind::send),
                      .size = count,
                      .host = host,
                      .peer = 0,
                      .id = id,
                      .key = key});
    }
    void ready_calculation(Rank host, std::uint32_t id, std::size_t pair, std::uint64_t place) {
        ++operations_;
        const Time time = ports_.processor(host, pair);
        if (on_links && time > now_) {
            wait_to_calculate(host, pair,
                              {.place = place, .size = 1, .peer = 0, .id = id, .key = 0});
            return;
        }
        // A message may come when the processor is just free for it: then that is in its place.
        std::uint64_t turn = place;
        if (on_links && program_.is_receive_overhead(id))
            if (const Ending& last = endings_[host * ports_.pairs() + pair]; last.time == now_)
                turn = last.place;
        events_.push({.time = time,
                      .order = Event::ordered(turn, Kind::calculation),
                      .size = place,
                      .host = host,
                      .peer = 0,
                      .id = id,
                      .key = 0});
    }
    /// When a receive that becomes ready now is posted.
    [[nodiscard]] Time posting(Rank host, std::size_t pair) { return ports_.processor(host, pair); }
    /// How long handing over a message takes the processor, on links.
    [[nodiscard]] Time handing_over(Rank from, Rank to, std::uint64_t size) const {
        return costs_.cost(from, to, size).send;
    }
    /// A receive is ready, and posted when the processor is free.
    void ready_receive(Rank host, std::uint32_t id, std::size_t pair, std::uint64_t place) {
        const Time time = posting(host, pair);
        post(host, id, time, ending(host, pair, time, place));
    }
    /// A receive is posted at `time`.
    void post(Rank host, std::uint32_t id, Time time, std::uint64_t place) {
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

    /// A message that was announced or is there has met its receive, on links.
    void met(Rank host, const Pending& message) {
        if (costs_.waits(message.size)) {
            set_out(host, message);
        } else {
            take_up(host, message);
        }
    }

  private:
    /// When it is, and its place among all that happens at that time.
    struct Ending {
        Time time = -1;
        std::uint64_t place = 0;
    };
    struct Queues {
        WaitQueue sends;
        WaitQueue messages;
        WaitQueue calculations;
    };

    [[nodiscard]] Queues& queues(Rank host, std::size_t pair) {
        return queues_[host * ports_.pairs() + pair];
    }
    [[nodiscard]] Time free_to_send(Rank host, std::size_t pair) {
        if constexpr (on_links) return ports_.processor(host, pair);
        return std::max(ports_.processor(host, pair), ports_.sending(host, pair));
    }
    [[nodiscard]] Time free_to_receive(Rank host, std::size_t pair) {
        if constexpr (on_links) return ports_.processor(host, pair);
        return std::max(ports_.processor(host, pair), ports_.receiving(host, pair));
    }
    /// The processor begins a computation, or something about a message, until `end`.
    void begin(Rank host, std::size_t pair, Time end, bool computes) {
        if (!on_links || end == now_) return;
        const std::uint64_t place = places(1);
        endings_[host * ports_.pairs() + pair] = {end, computes ? place : last_place - 1 - place};
    }
    /// Of what happens when that ends, at `time`, the place among all of that time; `place` if the
    /// processor is free.
    [[nodiscard]] std::uint64_t ending(Rank host, std::size_t pair, Time time,
                                       std::uint64_t place) const {
        if (!on_links || time <= now_) return place;
        return endings_[host * ports_.pairs() + pair].place;
    }
    /// Tries the first of a queue again at `time`; `key` says which of the host's queues it is, and
    /// `size` what was first in it.
    void retry(Kind kind, Time time, std::uint64_t place, Rank host, std::size_t pair) {
        events_.push({.time = time,
                      .order = Event::ordered(ending(host, pair, time, place), kind),
                      .size = place,
                      .host = host,
                      .peer = 0,
                      .id = 0,
                      .key = static_cast<std::uint32_t>(pair)});
    }
    static Pending waiting(const Event& event) {
        return {.place = event.place(),
                .size = event.size,
                .peer = event.peer,
                .id = event.id,
                .key = event.key};
    }

    // Sends. A run of them is one event, and one thing that waits.

    void send(const Event& event) {
        const std::size_t pair = program_.pair_of(event.id);
        Pending run = waiting(event);
        if (start_sends(event.host, pair, run)) wait_to_send(event.host, pair, run);
    }
    void wait_to_send(Rank host, std::size_t pair, const Pending& run) {
        if (store_.insert(queues(host, pair).sends, run))
            retry(Kind::retry_send, free_to_send(host, pair), run.place, host, pair);
    }
    void retry_send(const Event& event) {
        const std::size_t pair = event.key;
        WaitQueue& queue = queues(event.host, pair).sends;
        if (queue.empty() || store_.front(queue).place != event.size) return;
        if (!start_sends(event.host, pair, store_.front(queue))) store_.pop(queue);
        if (!queue.empty()) {
            retry(Kind::retry_send, free_to_send(event.host, pair), store_.front(queue).place,
                  event.host, pair);
        } else if constexpr (on_links) {
            // What has come meanwhile had to wait for all of them.
            WaitQueue& messages = queues(event.host, pair).messages;
            if (!messages.empty())
                retry(Kind::retry_message, free_to_receive(event.host, pair),
                      store_.front(messages).place, event.host, pair);
        }
    }
    /// Starts what can be started of a run; whether some is left.
    bool start_sends(Rank host, std::size_t pair, Pending& run) {
        while (free_to_send(host, pair) <= now_) {
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
        Event event{.time = 0,
                    .order = 0,
                    .size = message.bytes,
                    .host = message.to,
                    .peer = host,
                    .id = run.id,
                    .key = message.key};
        if constexpr (on_links) {
            const auto cost = costs_.cost(host, message.to, message.bytes);
            const Time end = ports_.processor(host, pair) = now_ + cost.send;
            begin(host, pair, end, false);
            outgoing(Resource::processor, host, event, now_, end);
            event.time = end - cost.head_start;
            event.order = Event::ordered(ending(host, pair, end, places(1)), Kind::injected);
        } else {
            const auto cost = costs_.send(host, message.to, message.bytes);
            ports_.processor(host, pair) = now_ + cost.processor;
            ports_.sending(host, pair) = now_ + cost.interface;
            outgoing(Resource::processor, host, event, now_, now_ + cost.processor);
            outgoing(Resource::sending, host, event, now_, now_ + cost.interface);
            event.time = now_ + costs_.flight(host, message.to, message.bytes);
            event.order = Event::ordered(places(1), Kind::message);
        }
        events_.push(event);
        program_.sent(*this, host, run.id, !costs_.rendezvous(host, message.to, message.bytes));
    }

    // Messages on links.

    void set_out(Rank host, const Pending& message) {
        if constexpr (!shared)
            if (!costs_.within_node(message.peer, host))
                links_.come(costs_.node(message.peer), costs_.node(host), now_);
        const Time measured = costs_.cost(message.peer, host, message.size).latency;
        events_.push({.time = now_ + latency(message.peer, host, measured),
                      .order = Event::ordered(places(1), Kind::on_link),
                      .size = message.size,
                      .host = host,
                      .peer = message.peer,
                      .id = message.id,
                      .key = message.key});
    }

    void on_its_way(const Event& event) {
        switch (event.kind()) {
            case Kind::injected:
                if (costs_.waits(event.size)) {
                    program_.arrived(*this, event.host, waiting(event));
                } else {
                    set_out(event.host, waiting(event));
                }
                break;
            case Kind::on_link:
                enter(event);
                break;
            case Kind::off_link:
                leave(event);
                break;
            case Kind::delivered:
                land(event);
                break;
            default:
                settle();
                break;
        }
    }

    /// Until a message is at its links that takes `measured` between the nodes that were measured.
    [[nodiscard]] Time latency(Rank from, Rank to, Time measured) const {
        if (costs_.near() == costs_.far() || costs_.within_node(from, to)) return measured;
        const bool near = links_.near(costs_.node(from), costs_.node(to));
        return std::max<Time>(0, measured + (near ? costs_.near() : costs_.far()));
    }

    void enter(Event event) {
        const auto cost = costs_.cost(event.peer, event.host, event.size);
        if (costs_.within_node(event.peer, event.host)) {
            event.time = now_ + cost.wire - cost.early;
            event.order = Event::ordered(event.place(), Kind::message);
            events_.push(event);
            return;
        }
        const auto from = costs_.node(event.peer);
        const auto to = costs_.node(event.host);
        if constexpr (shared) {
            links_.enter(event, from, to, cost.wire, cost.early, now_,
                         costs_.weight(links_.near(from, to)));
            if (links_.unsettled()) settle_later();
        } else {
            if (links_.enter(event, from, to, now_)) go(event);
        }
    }
    /// A message has the links of its path for itself.
    void go(Event event) {
        const auto cost = costs_.cost(event.peer, event.host, event.size);
        event.time = now_ + links_.hold(costs_.node(event.peer), cost.wire, now_);
        event.order = Event::ordered(places(1), Kind::off_link);
        through_interfaces(event, now_, event.time);
        events_.push(event);
        if (cost.overlap == 0) return;
        event.time = std::max(now_, event.time - cost.overlap);
        event.order = Event::ordered(places(1), Kind::delivered);
        events_.push(event);
    }
    void leave(const Event& event) {
        if constexpr (shared) {
            if (!links_.due(event.key, now_)) return;
            links_.proceed(
                event.key, now_,
                [&](const Event& message) {
                    over(message);
                    land(message);
                },
                [&](const Event& message) { through_interfaces(message, message.time, now_); });
            settle_later();
        } else {
            leaving_.push_back(event);
            settle_later();
        }
    }
    void settle_later() {
        if (settling_) return;
        settling_ = true;
        events_.push(
            {.time = now_,
             .order = Event::ordered(shared ? last_place : last_place / 2, Kind::links_updated),
             .size = 0,
             .host = 0,
             .peer = 0,
             .id = 0,
             .key = 0});
    }
    void settle() {
        settling_ = false;
        if constexpr (shared) {
            links_.settle(now_, [&](std::uint32_t number, Time end) {
                events_.push({.time = end,
                              .order = Event::ordered(places(1), Kind::off_link),
                              .size = 0,
                              .host = 0,
                              .peer = 0,
                              .id = 0,
                              .key = number});
            });
        } else {
            all_leave();
        }
    }
    /// All messages that end now, each in its place.
    void all_leave() {
        for (Event& message : leaving_)
            message.order = links_.place(costs_.node(message.peer), costs_.node(message.host));
        std::sort(leaving_.begin(), leaving_.end(),
                  [](const Event& a, const Event& b) { return a.order < b.order; });
        std::swap(leaving_, left_);
        for (Event& message : left_) {
            message.order = Event::ordered(places(1), Kind::off_link);
            links_.leave(costs_.node(message.peer), costs_.node(message.host), now_,
                         [&](const Event& other) { go(other); });
            over(message);
            if (costs_.cost(message.peer, message.host, message.size).overlap == 0) land(message);
        }
        left_.clear();
    }
    /// All of a message has left its sender.
    void over(const Event& event) {
        if (!costs_.rendezvous(event.peer, event.host, event.size)) return;
        released(event.peer, program_.pair_of(event.id));
        program_.send_over(*this, event.peer, event.id);
    }
    /// A message is at its host, or so much of it that its processor can begin.
    void land(const Event& event) {
        if (costs_.waits(event.size)) {
            take_up(event.host, waiting(event));
        } else {
            program_.arrived(*this, event.host, waiting(event));
        }
    }
    /// A message is there and its receive too: the processor takes it up when it comes to it.
    void take_up(Rank host, const Pending& message) {
        const std::size_t pair = program_.pair_of(message.id);
        Queues& queued = queues(host, pair);
        if (queued.sends.empty() && free_to_receive(host, pair) <= now_) {
            take(host, pair, message);
        } else if (store_.insert(queued.messages, message) && queued.sends.empty()) {
            retry(Kind::retry_message, free_to_receive(host, pair), message.place, host, pair);
        }
    }

    // Messages.

    void message(const Event& event) {
        if constexpr (on_links) {
            over(event);
            return land(event);
        }
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
        WaitQueue& queue = queues(event.host, pair).messages;
        if (queue.empty() || store_.front(queue).place != event.size) return;
        if constexpr (on_links)
            if (!queues(event.host, pair).sends.empty()) return;
        if (free_to_receive(event.host, pair) <= now_) {
            const Pending first = store_.front(queue);
            store_.pop(queue);
            take(event.host, pair, first);
        }
        if (!queue.empty())
            retry(Kind::retry_message, free_to_receive(event.host, pair), store_.front(queue).place,
                  event.host, pair);
    }
    void take(Rank host, std::size_t pair, const Pending& message) {
        ++messages_;
        if constexpr (on_links) {
            const Time end = now_ + costs_.cost(message.peer, host, message.size).receive;
            ports_.processor(host, pair) = end;
            begin(host, pair, end, false);
            incoming(Resource::processor, host, host, message, now_, end);
            program_.received(*this, host, message);
        } else {
            const auto cost = costs_.receive(message.peer, host, message.size);
            ports_.processor(host, pair) = now_ + cost.processor;
            ports_.receiving(host, pair) = now_ + cost.interface;
            incoming(Resource::processor, host, host, message, now_, now_ + cost.processor);
            incoming(Resource::receiving, host, host, message, now_, now_ + cost.interface);
            program_.arrived(*this, host, message);
        }
    }

    // Calculations.

    void calculation(const Event& event) {
        const std::size_t pair = program_.pair_of(event.id);
        if (ports_.processor(event.host, pair) <= now_) {
            calculate(event.host, pair, event.id);
        } else {
            wait_to_calculate(
                event.host, pair,
                {.place = event.size, .size = 1, .peer = 0, .id = event.id, .key = 0});
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
        if (calculation > longest_part / Costs::nanosecond) too_long();
        const Time end = now_ + calculation * Costs::nanosecond;
        ports_.processor(host, pair) = end;
        begin(host, pair, end, !program_.is_receive_overhead(id));
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

    // What keeps a resource busy: a message at its sender's end, and at its receiver's.

    void outgoing(Resource resource, Rank owner, const Event& message, Time start, Time end) const {
        watch_({.resource = resource,
                .operation = Operation::send,
                .rank = message.peer,
                .owner = owner,
                .pair = static_cast<std::uint32_t>(program_.pair_of(message.id)),
                .peer = message.host,
                .bytes = message.size,
                .start = start,
                .end = end});
    }
    void incoming(Resource resource, Rank owner, Rank host, const Pending& message, Time start,
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
    /// On links, the interfaces of both nodes are busy for as long.
    void through_interfaces(const Event& message, Time start, Time end) const {
        outgoing(Resource::sending, costs_.node(message.peer), message, start, end);
        incoming(Resource::receiving, costs_.node(message.host), message.host, waiting(message),
                 start, end);
    }

    static constexpr bool shared = requires { Links::shared; };
    static constexpr std::uint64_t last_place = ~std::uint64_t{0} >> 4U;

    Costs costs_;
    Ports ports_;
    std::size_t ranks_;
    Program& program_;
    [[no_unique_address]] Links links_;
    [[no_unique_address]] Watch watch_;
    bool settling_ = false;
    std::vector<Event> leaving_;  ///< messages that end now
    std::vector<Event> left_;
    EventQueue events_;
    WaitQueueStore store_;
    std::vector<Queues> queues_;
    std::vector<Ending> endings_;  ///< of what processors did last, on links
    Time now_ = 0;
    std::uint64_t place_ = 0;
    std::uint64_t operations_ = 0;
    std::uint64_t messages_ = 0;
};

}  // namespace lapwing::simulate

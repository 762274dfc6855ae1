#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "lapwing/simulate/engine/event.hpp"
#include "lapwing/simulate/engine/observer.hpp"
#include "lapwing/simulate/engine/time.hpp"
#include "lapwing/simulate/engine/wait_queue.hpp"

namespace lapwing::simulate {

/// The network of a `Machine` on which messages contend for `Links` (`SerialisingLinks`,
/// `SharingLinks`). `Costs`: see `MeasuredMachine`.
///
/// The way of a message, by the kinds of its events:
///
/// 1. `injected`: its sender's processor has handed it over. A message that `waits` for its receive
///    goes on when both are there, any other at once.
/// 2. `on_link`: after its latency the first byte reaches the links.
/// 3. `off_link`: the last byte has left them, and a rendezvous' send ends. Links that several
///    messages share are allocated anew, once at a time (`links_updated`).
/// 4. `delivered`: its receiver can begin, which may be before the last byte is there (`overlap`).
///    Where it has met its receive, the receiver's processor is busy with it as soon as it is free
///    and has started all sends that were ready.
template <class Costs, class Links>
class LinkNetwork {
  public:
    static constexpr bool on_links = true;
    static constexpr bool shared = requires { Links::shared; };
    static constexpr Time nanosecond = Costs::nanosecond;

    /// `pairs`: pairs of a processor and an interface that each of `ranks` has.
    LinkNetwork(Costs costs, Links links, std::size_t pairs, std::size_t ranks)
        : costs_(std::move(costs)), links_(std::move(links)), pairs_(pairs), ends_(ranks * pairs) {}

    [[nodiscard]] bool rendezvous(Rank from, Rank to, std::uint64_t size) const {
        return costs_.rendezvous(from, to, size);
    }
    [[nodiscard]] Time send_overhead(Rank from, Rank to, std::uint64_t size) const {
        return costs_.cost(from, to, size).send;
    }
    [[nodiscard]] std::uint64_t link_updates() const {
        if constexpr (shared) return links_.link_updates();
        return 0;
    }

    template <class Ports>
    [[nodiscard]] static Time free_to_send(Ports& ports, Rank host, std::size_t pair) {
        return ports.processor(host, pair);
    }
    template <class Ports>
    [[nodiscard]] static Time free_to_receive(Ports& ports, Rank host, std::size_t pair) {
        return ports.processor(host, pair);
    }

    // The order of what ends at one time.

    /// A processor is busy until `end`, with a calculation or with the overhead of a message.
    template <class M>
    void busy_until(M& machine, Rank host, std::size_t pair, Time end, bool calculates) {
        if (end == machine.now()) return;
        const std::uint64_t place = machine.places(1);
        ends_[host * pairs_ + pair] = {end, calculates ? place : last_place - 1 - place};
    }
    /// The place of what follows at `time`, when a processor becomes free; `place` where it is
    /// free now.
    [[nodiscard]] std::uint64_t place_of_end(Rank host, std::size_t pair, Time time, Time now,
                                             std::uint64_t place) const {
        return time <= now ? place : ends_[host * pairs_ + pair].place;
    }
    /// The place of what a processor has ended just now; `place` where it has ended nothing.
    [[nodiscard]] std::uint64_t place_of_last(Rank host, std::size_t pair, Time now,
                                              std::uint64_t place) const {
        const End& last = ends_[host * pairs_ + pair];
        return last.time == now ? last.place : place;
    }

    // Messages.

    /// A send starts; returns the event of its injection.
    template <class M>
    [[nodiscard]] Event send(M& machine, std::size_t pair, Event event) {
        const Time now = machine.now();
        const Rank from = event.peer;
        const auto cost = costs_.cost(from, event.host, event.size);
        const Time end = machine.ports().processor(from, pair) = now + cost.send;
        busy_until(machine, from, pair, end, false);
        machine.sending(Resource::processor, from, event, now, end);
        event.time = end - cost.head_start;
        event.order =
            Event::ordered(place_of_end(from, pair, end, now, machine.places(1)), Kind::injected);
        return event;
    }
    /// A message that was announced or has been delivered has met its receive.
    template <class M>
    void met(M& machine, Rank host, const Pending& message) {
        if (costs_.waits(message.size)) {
            depart(machine, host, message);
        } else {
            machine.program().delivered(machine, host, message);
        }
    }
    /// All of a message has arrived that went by no link.
    template <class M>
    void arrived(M& machine, const Event& event) {
        sent(machine, event);
        deliver(machine, event);
    }
    /// A host receives a message that has met its receive.
    template <class M>
    void receive(M& machine, Rank host, std::size_t pair, const Pending& message) {
        const Time now = machine.now();
        const auto cost = costs_.cost(message.peer, host, message.size);
        const Time end = now + cost.receive + (message.unexpected ? cost.unexpected : 0);
        machine.ports().processor(host, pair) = end;
        busy_until(machine, host, pair, end, false);
        machine.receiving(Resource::processor, host, host, message, now, end);
        machine.program().received(machine, host, message);
    }

    template <class M>
    void handle(M& machine, const Event& event) {
        switch (event.kind()) {
            case Kind::injected:
                if (costs_.waits(event.size)) {
                    machine.program().arrived(machine, event.host, pending(event));
                } else {
                    depart(machine, event.host, pending(event));
                }
                break;
            case Kind::on_link:
                enter(machine, event);
                break;
            case Kind::off_link:
                leave(machine, event);
                break;
            case Kind::delivered:
                deliver(machine, event);
                break;
            case Kind::acknowledged:
                end_send(machine, event);
                break;
            default:
                update_links(machine);
                break;
        }
    }

  private:
    /// When a processor ends what it does, and the place of that.
    struct End {
        Time time = -1;
        std::uint64_t place = 0;
    };
    static constexpr std::uint64_t last_place = ~std::uint64_t{0} >> 4U;

    /// A message leaves its sender: its latency begins.
    template <class M>
    void depart(M& machine, Rank host, const Pending& message) {
        if constexpr (!shared)
            if (!costs_.within_node(message.peer, host))
                links_.announce(costs_.node(message.peer), costs_.node(host), machine.now());
        const Time measured = costs_.cost(message.peer, host, message.size).latency;
        machine.push({.time = machine.now() + latency(message.peer, host, measured),
                      .order = Event::ordered(machine.places(1), Kind::on_link),
                      .size = message.size,
                      .host = host,
                      .peer = message.peer,
                      .id = message.id,
                      .key = message.key});
    }
    /// The latency between two ranks, where it is `measured` between the nodes of the profile.
    [[nodiscard]] Time latency(Rank from, Rank to, Time measured) const {
        if (costs_.same_distances() || costs_.within_node(from, to)) return measured;
        const auto hops = links_.hops(costs_.node(from), costs_.node(to));
        return std::max<Time>(0, measured + costs_.farther(hops));
    }

    /// The first byte of a message is at its links.
    template <class M>
    void enter(M& machine, Event event) {
        const Time now = machine.now();
        const auto cost = costs_.cost(event.peer, event.host, event.size);
        if (costs_.within_node(event.peer, event.host)) {
            event.time = now + cost.wire - cost.early;
            event.order = Event::ordered(event.place(), Kind::message);
            machine.push(event);
            return;
        }
        const auto from = costs_.node(event.peer);
        const auto to = costs_.node(event.host);
        if constexpr (shared) {
            links_.enter(
                {.message = event,
                 .from = from,
                 .to = to,
                 .wire = cost.wire,
                 .early = cost.early,
                 .weight = costs_.same_distances() ? 1 : costs_.weight(links_.hops(from, to))},
                now);
            if (links_.outdated()) update_links_later(machine);
        } else {
            if (links_.enter(event, from, to, now)) transmit(machine, event);
        }
    }
    /// A message has the links of its path for itself.
    template <class M>
    void transmit(M& machine, Event event) {
        const Time now = machine.now();
        const auto cost = costs_.cost(event.peer, event.host, event.size);
        event.time =
            now + links_.hold(costs_.node(event.peer), costs_.node(event.host), cost.wire, now);
        event.order = Event::ordered(machine.places(1), Kind::off_link);
        through_interfaces(machine, event, now, event.time);
        machine.push(event);
        if (cost.overlap == 0) return;
        event.time = std::max(now, event.time - cost.overlap);
        event.order = Event::ordered(machine.places(1), Kind::delivered);
        machine.push(event);
    }
    /// A message leaves its links; of shared ones, all messages of a group that do so now.
    template <class M>
    void leave(M& machine, const Event& event) {
        if constexpr (shared) {
            const Time now = machine.now();
            if (!links_.due(event.key, now)) return;
            links_.proceed(
                event.key, now,
                [&](const Event& message) {
                    sent(machine, message);
                    deliver(machine, message);
                },
                [&](const Event& message) {
                    through_interfaces(machine, message, message.time, now);
                });
        } else {
            leaving_.push_back(event);
        }
        update_links_later(machine);
    }

    /// Links go to those that wait for them when all else of this time has happened.
    template <class M>
    void update_links_later(M& machine) {
        if (updating_) return;
        updating_ = true;
        machine.push(
            {.time = machine.now(),
             .order = Event::ordered(shared ? last_place : last_place / 2, Kind::links_updated),
             .size = 0,
             .host = 0,
             .peer = 0,
             .id = 0,
             .key = 0});
    }
    template <class M>
    void update_links(M& machine) {
        updating_ = false;
        if constexpr (shared) {
            links_.reallocate(machine.now(), [&](std::uint32_t number, Time end) {
                machine.push({.time = end,
                              .order = Event::ordered(machine.places(1), Kind::off_link),
                              .size = 0,
                              .host = 0,
                              .peer = 0,
                              .id = 0,
                              .key = number});
            });
        } else {
            free_links(machine);
        }
    }
    /// All messages that leave their links now do so, each in its place.
    template <class M>
    void free_links(M& machine) {
        for (Event& message : leaving_)
            message.order = links_.place(costs_.node(message.peer), costs_.node(message.host));
        std::sort(leaving_.begin(), leaving_.end(),
                  [](const Event& a, const Event& b) { return a.order < b.order; });
        std::swap(leaving_, left_);
        for (Event& message : left_) {
            message.order = Event::ordered(machine.places(1), Kind::off_link);
            links_.leave(costs_.node(message.peer), costs_.node(message.host), machine.now(),
                         [&](const Event& other) { transmit(machine, other); });
            sent(machine, message);
            if (costs_.cost(message.peer, message.host, message.size).overlap == 0)
                deliver(machine, message);
        }
        left_.clear();
    }

    /// All of a message has left its sender.
    template <class M>
    void sent(M& machine, const Event& event) {
        if (!costs_.rendezvous(event.peer, event.host, event.size)) return;
        if (costs_.acknowledgement() == 0) return end_send(machine, event);
        Event end = event;
        end.time = machine.now() + costs_.acknowledgement();
        end.order = Event::ordered(machine.places(1), Kind::acknowledged);
        machine.push(end);
    }
    template <class M>
    void end_send(M& machine, const Event& event) {
        machine.released(event.peer, machine.program().pair_of(event.id));
        machine.program().send_over(machine, event.peer, event.id);
    }
    /// A message is at its host, or so much of it that its receiver can begin.
    template <class M>
    void deliver(M& machine, const Event& event) {
        if (costs_.waits(event.size)) {
            machine.program().delivered(machine, event.host, pending(event));
        } else {
            machine.program().arrived(machine, event.host, pending(event));
        }
    }

    /// A message keeps the interfaces of both nodes busy.
    template <class M>
    void through_interfaces(const M& machine, const Event& message, Time start, Time end) const {
        machine.sending(Resource::sending, costs_.node(message.peer), message, start, end);
        machine.receiving(Resource::receiving, costs_.node(message.host), message.host,
                          pending(message), start, end);
    }

    Costs costs_;
    Links links_;
    std::size_t pairs_;
    std::vector<End> ends_;       ///< of what each processor did last
    bool updating_ = false;       ///< whether an event will update links
    std::vector<Event> leaving_;  ///< messages that leave their links now
    std::vector<Event> left_;
};

}  // namespace lapwing::simulate

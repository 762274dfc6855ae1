#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "lapwing/simulate/engine/event.hpp"
#include "lapwing/simulate/engine/observer.hpp"
#include "lapwing/simulate/engine/time.hpp"
#include "lapwing/simulate/engine/wait_queue.hpp"

namespace lapwing::simulate {

/// The network of a `Machine` on which nothing contends between two interfaces, as in LogGOPSim. A
/// message keeps the processor and the interface of its sender busy. It arrives after a fixed time,
/// and keeps those of its receiver busy. `Costs`: see `LogGOPS`.
template <class Costs>
class DirectNetwork {
  public:
    static constexpr bool on_links = false;
    static constexpr Time nanosecond = Costs::nanosecond;

    explicit DirectNetwork(const Costs& costs) : costs_(costs) {}

    /// There are no links.
    [[nodiscard]] static constexpr std::uint64_t link_updates() { return 0; }

    [[nodiscard]] bool rendezvous(Rank from, Rank to, std::uint64_t size) const {
        return costs_.rendezvous(from, to, size);
    }
    /// When a host can start a send: its processor and its sending interface are free.
    template <class Ports>
    [[nodiscard]] static Time free_to_send(Ports& ports, Rank host, std::size_t pair) {
        return std::max(ports.processor(host, pair), ports.sending(host, pair));
    }
    /// When a host can receive a message: its processor and its receiving interface are free.
    template <class Ports>
    [[nodiscard]] static Time free_to_receive(Ports& ports, Rank host, std::size_t pair) {
        return std::max(ports.processor(host, pair), ports.receiving(host, pair));
    }
    /// The place of what follows when a processor becomes free: its own.
    [[nodiscard]] static std::uint64_t place_of_end(Rank, std::size_t, Time, Time,
                                                    std::uint64_t place) {
        return place;
    }

    /// A send starts; returns the event of its arrival.
    template <class M>
    [[nodiscard]] Event send(M& machine, std::size_t pair, Event event) {
        const Time now = machine.now();
        const Rank from = event.peer;
        const auto cost = costs_.send(from, event.host, event.size);
        machine.ports().processor(from, pair) = now + cost.processor;
        machine.ports().sending(from, pair) = now + cost.interface;
        machine.sending(Resource::processor, from, event, now, now + cost.processor);
        machine.sending(Resource::sending, from, event, now, now + cost.interface);
        event.time = now + costs_.flight(from, event.host, event.size);
        event.order = Event::ordered(machine.places(1), Kind::message);
        return event;
    }
    /// A host receives a message that has arrived, and matches it.
    template <class M>
    void receive(M& machine, Rank host, std::size_t pair, const Pending& message) {
        const Time now = machine.now();
        const auto cost = costs_.receive(message.peer, host, message.size);
        machine.ports().processor(host, pair) = now + cost.processor;
        machine.ports().receiving(host, pair) = now + cost.interface;
        machine.receiving(Resource::processor, host, host, message, now, now + cost.processor);
        machine.receiving(Resource::receiving, host, host, message, now, now + cost.interface);
        machine.program().arrived(machine, host, message);
    }

  private:
    Costs costs_;
};

}  // namespace lapwing::simulate

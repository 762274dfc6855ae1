#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "lapwing/observe/table.hpp"
#include "lapwing/observe/traffic.hpp"

namespace lapwing::observe {

/// An exchange that is not over yet. Times are seconds; `computed_...` are the seconds of
/// computation since the program began, at that moment.
struct OpenExchange {
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    bool open = false;
    bool completing = false;   ///< something of it was waited for
    std::uint32_t serial = 0;  ///< tells it from others that had its slot
    std::uint32_t head = 0;    ///< the call it began with
    // The first call that had to do with another rank, and which rank that is.
    std::uint32_t round_call = none;
    std::int32_t round_peer = Traffic::nobody;
    std::uint32_t under_way = 0;  ///< requests
    std::uint32_t members = 0;
    std::uint32_t peers = 0;
    std::uint32_t messages = 0;
    std::uint16_t phase = 0;  ///< how often it was complete and continued
    Traffic first;
    Element element = Element::unknown;  ///< of all messages with data; unknown: of several
    bool of_several = false;
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    std::uint64_t largest_sent = 0;
    std::uint64_t largest_received = 0;
    double initiating = 0;  ///< in calls that return at once
    double waiting = 0;     ///< in all others
    double before = 0;      ///< of computation before it
    double computed_at_start = 0;
    double computed_at_initiation = 0;  ///< the last one
    double computed_at_end = 0;         ///< the last completion
    std::array<std::uint32_t, Record::most_members> member{};
    std::array<std::int32_t, Record::most_peers> peer{};
    std::uint32_t routes = 0;
    std::array<Route, Record::most_routes> route{};

    /// A call belongs to it.
    void add(std::uint32_t call, const Traffic& traffic) {
        // What continues an exchange that was complete is packed and initiated later.
        if (completing) ++phase;
        completing = false;
        messages += 1;
        sent += traffic.sent;
        received += traffic.received;
        largest_sent = std::max(largest_sent, traffic.sent);
        largest_received = std::max(largest_received, traffic.received);
        add_member(call);
        add_element(traffic);
        if (traffic.operation != Operation::messages || traffic.peer() == Traffic::nobody) return;
        if (round_call == none) {
            round_call = call;
            round_peer = traffic.peer();
        }
        insert(peer, peers, traffic.peer());
        if (traffic.to.peer != Traffic::nobody)
            add_route({traffic.to.peer, traffic.to.tag, 1, phase, 1, traffic.sent});
        if (traffic.from.peer != Traffic::nobody)
            add_route({traffic.from.peer, traffic.from.tag, 0, phase, 1, traffic.received});
    }
    void add_element(const Traffic& traffic) {
        if (traffic.sent == 0 && traffic.received == 0) return;
        if (element != traffic.element && element != Element::unknown) of_several = true;
        element = of_several ? Element::unknown : traffic.element;
    }
    void add_route(const Route& added) { merge(route, routes, added); }
    void add_member(std::uint32_t call) { insert(member, members, call); }

    /// Adds the messages of a route to a set of routes of which `used` are in use, if there is
    /// room.
    template <class Set>
    static void merge(Set& set, std::uint32_t& used, const Route& added) {
        const auto end = set.begin() + used;
        const auto known = std::find_if(set.begin(), end, [&](const Route& each) {
            return each.peer == added.peer && each.tag == added.tag && each.sends == added.sends &&
                   each.phase == added.phase;
        });
        if (known != end) {
            known->messages += added.messages;
            known->bytes += added.bytes;
        } else if (used < set.size()) {
            set[used++] = added;
        }
    }
    /// Adds a value to a set of which `used` are in use, if it is new and there is room.
    template <class Set, class Value>
    static void insert(Set& set, std::uint32_t& used, Value value) {
        const auto end = set.begin() + used;
        if (std::find(set.begin(), end, value) == end && used < set.size()) set[used++] = value;
    }
};

}  // namespace lapwing::observe

#include "lapwing/plan/names.hpp"

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace lapwing {
namespace {

using Words = std::string_view;

// In the order of the enumerations.
constexpr std::array<Words, 7> patterns = {"stream",     "multi", "congested", "alltoall",
                                           "collective", "halo",  "buckets"};
constexpr std::array<Words, 3> directions = {"fetch", "produce", "both"};
constexpr std::array<Words, 2> dependences = {"tight", "loose"};
constexpr std::array<Words, 3> methods = {"lapwing", "paper", "paper-size"};
constexpr std::array<Words, 6> bounds = {"latency",     "overhead", "bandwidth",
                                         "computation", "queue",    "progress"};
constexpr std::array<Words, 2> peer_orders = {"contiguous", "interleaved"};
constexpr std::array<Words, 4> packings = {"none", "derived", "copy", "blocked"};
constexpr std::array<Words, 4> transports = {"two-sided", "put", "get", "any"};

template <class Enumeration, std::size_t n>
Enumeration named(Words what, const std::array<Words, n>& names, Words name) {
    for (std::size_t i = 0; i < n; ++i)
        if (names[i] == name) return static_cast<Enumeration>(i);
    std::string known;
    for (std::size_t i = 0; i < n; ++i) {
        if (i > 0) known += i + 1 < n ? ", " : " or ";
        known += names[i];
    }
    throw std::invalid_argument("unknown " + std::string(what) + " \"" + std::string(name) +
                                "\": it is " + known);
}

template <class Enumeration, std::size_t n>
Words name_in(const std::array<Words, n>& names, Enumeration value) {
    return names.at(static_cast<std::size_t>(value));
}

}  // namespace

Words name(Pattern pattern) { return name_in(patterns, pattern); }
Words name(Direction direction) { return name_in(directions, direction); }
Words name(Dependence dependence) { return name_in(dependences, dependence); }
Words name(Method method) { return name_in(methods, method); }
Words name(Bound bound) { return name_in(bounds, bound); }
Words name(PeerOrder order) { return name_in(peer_orders, order); }
Words name(Packing packing) { return name_in(packings, packing); }
Words name(MessageTransport transport) { return name_in(transports, transport); }

Pattern pattern_named(Words name) { return named<Pattern>("pattern", patterns, name); }
Direction direction_named(Words name) { return named<Direction>("direction", directions, name); }
Dependence dependence_named(Words name) {
    return named<Dependence>("dependence", dependences, name);
}
Method method_named(Words name) { return named<Method>("method", methods, name); }
Bound bound_named(Words name) { return named<Bound>("bound", bounds, name); }
PeerOrder order_named(Words name) { return named<PeerOrder>("order", peer_orders, name); }
Packing packing_named(Words name) { return named<Packing>("packing", packings, name); }
MessageTransport transport_named(Words name) {
    return named<MessageTransport>("transport", transports, name);
}

}  // namespace lapwing

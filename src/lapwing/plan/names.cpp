#include "lapwing/plan/names.hpp"

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>

namespace lapwing {
namespace {

using Words = std::string_view;

/// Names of an enumeration, in its order.
template <class Enumeration, std::size_t n>
struct Names {
    Words what;
    std::array<Words, n> names;

    [[nodiscard]] Words of(Enumeration value) const {
        return names.at(static_cast<std::size_t>(value));
    }
    [[nodiscard]] Enumeration find(Words name) const {
        std::string known;
        for (std::size_t i = 0; i < n; ++i) {
            if (names[i] == name) return static_cast<Enumeration>(i);
            if (i > 0) known += i + 1 < n ? ", " : " or ";
            known += names[i];
        }
        throw std::invalid_argument("unknown " + std::string(what) + " \"" + std::string(name) +
                                    "\": it is " + known);
    }
};

constexpr Names<Pattern, 7> patterns{
    "pattern", {"stream", "multi", "congested", "alltoall", "collective", "halo", "buckets"}};
constexpr Names<Direction, 3> directions{"direction", {"fetch", "produce", "both"}};
constexpr Names<Dependence, 2> dependences{"dependence", {"tight", "loose"}};
constexpr Names<Method, 6> methods{
    "method",
    {"lapwing", "paper", "paper-size", "paper-communication", "paper-computation", "paper-bursts"}};
constexpr Names<Bound, 6> bounds{
    "bound", {"latency", "overhead", "bandwidth", "computation", "queue", "progress"}};
constexpr Names<PeerOrder, 2> peer_orders{"order", {"contiguous", "interleaved"}};
constexpr Names<Packing, 4> packings{"packing", {"none", "derived", "copy", "blocked"}};
constexpr Names<MessageTransport, 8> transports{
    "transport", {"two-sided", "put", "get", "any", "ucx-put", "ucx-get", "shmem", "partitioned"}};

}  // namespace

Words name(Pattern pattern) { return patterns.of(pattern); }
Words name(Direction direction) { return directions.of(direction); }
Words name(Dependence dependence) { return dependences.of(dependence); }
Words name(Method method) { return methods.of(method); }
Words name(Bound bound) { return bounds.of(bound); }
Words name(PeerOrder order) { return peer_orders.of(order); }
Words name(Packing packing) { return packings.of(packing); }
Words name(MessageTransport transport) { return transports.of(transport); }

Pattern pattern_named(Words name) { return patterns.find(name); }
Direction direction_named(Words name) { return directions.find(name); }
Dependence dependence_named(Words name) { return dependences.find(name); }
Method method_named(Words name) { return methods.find(name); }
Bound bound_named(Words name) { return bounds.find(name); }
PeerOrder order_named(Words name) { return peer_orders.find(name); }
Packing packing_named(Words name) { return packings.find(name); }
MessageTransport transport_named(Words name) { return transports.find(name); }

}  // namespace lapwing

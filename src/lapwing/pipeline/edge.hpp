#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "lapwing/plan/messages.hpp"

namespace lapwing {

/// What is exchanged with one neighbour. Its elements lie side by side; a column is packed, see
/// `Halo::exchange`.
///
/// What is sent with a tag arrives where the neighbour receives with the same tag. Two edges with
/// one neighbour have different tags. Sides of a grid need none, see `Side`.
template <class Element>
struct Edge {
    int peer = -1;                  ///< rank of the neighbour; negative: none, the grid ends here
    std::span<const Element> send;  ///< our elements that it needs
    std::span<Element> receive;     ///< room for its elements that we need
    int send_tag = 0;
    int receive_tag = 0;
};

/// One side of a rank's block of a grid. Sides are listed in pairs of opposite ones: up and down,
/// left and right. What a rank sends down, its lower neighbour receives from above. A side alone is
/// its own opposite: two ranks face each other.
template <class Element>
struct Side {
    int peer = -1;                  ///< rank of the neighbour; negative: none, the grid ends here
    std::span<const Element> send;  ///< our elements that it needs
    std::span<Element> receive;     ///< room for its elements that we need
};

/// The sides of a slab of rows, with the neighbours above and below: rank 0 has the top slab.
/// `slab`: its rows, and a row of room for each neighbour around them. `columns`: elements of a
/// row. `ranks`: a transport, or what else has `rank()` and `size()`. Throws
/// `std::invalid_argument` where the slab does not consist of rows.
template <class Element, class Ranks>
[[nodiscard]] std::vector<Side<Element>> slab_sides(std::span<Element> slab, std::size_t columns,
                                                    const Ranks& ranks) {
    if (columns == 0 || slab.size() % columns != 0 || slab.size() / columns < 3)
        throw std::invalid_argument("slab_sides: the slab is no rows with a row around them");
    const std::size_t last = slab.size() / columns - 1;
    const auto row = [&](std::size_t i) { return slab.subspan(i * columns, columns); };
    const int below = ranks.rank() + 1 < ranks.size() ? ranks.rank() + 1 : -1;
    return {{ranks.rank() - 1, row(1), row(0)}, {below, row(last - 1), row(last)}};
}

/// The same of a slab in two buffers, as `Halo` takes them:
///
///     lapwing::Halo halo(ranks, plan, lapwing::slab_sides<double>({now, next}, columns, ranks));
template <class Element, class Ranks>
[[nodiscard]] std::array<std::vector<Side<Element>>, 2> slab_sides(
    const std::array<std::span<Element>, 2>& buffers, std::size_t columns, const Ranks& ranks) {
    return {slab_sides(buffers[0], columns, ranks), slab_sides(buffers[1], columns, ranks)};
}

/// The edges at these sides. Side `s` sends with tag `s`; what it receives, the neighbour sends
/// from the opposite side, `s ^ 1`. So nothing is mixed up where two ranks meet on both sides, or
/// where a rank is its own neighbour.
template <class Element>
[[nodiscard]] std::vector<Edge<Element>> edges_at(const std::vector<Side<Element>>& sides) {
    std::vector<Edge<Element>> edges;
    edges.reserve(sides.size());
    for (std::size_t s = 0; s < sides.size(); ++s) {
        const std::size_t opposite = sides.size() == 1 ? s : s ^ 1U;
        edges.push_back({sides[s].peer, sides[s].send, sides[s].receive, static_cast<int>(s),
                         static_cast<int>(opposite)});
    }
    return edges;
}

/// The parts of an edge that travel as a message each. The messages of a plan are for edges of one
/// length: longer and shorter ones are cut in the same proportions. No messages: it is one.
template <class Element>
[[nodiscard]] std::vector<std::span<Element>> parts_of_edge(std::span<Element> edge,
                                                            const Messages& messages) {
    if (messages.count() == 0) return {edge};
    std::vector<std::span<Element>> parts;
    const double share = static_cast<double>(edge.size()) / static_cast<double>(messages.volume());
    std::size_t begin = 0;
    for (auto message = messages.begin(); message != Messages::end(); ++message) {
        const auto bytes = static_cast<double>(message.offset() + *message);
        const auto end = static_cast<std::size_t>(std::llround(bytes * share));
        if (end == begin) continue;  // less than an element
        parts.push_back(edge.subspan(begin, end - begin));
        begin = end;
    }
    return parts;
}

}  // namespace lapwing

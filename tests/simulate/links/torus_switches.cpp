#include "lapwing/simulate/links/torus_switches.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

using lapwing::Torus;
using lapwing::simulate::Link;
using lapwing::simulate::TorusSwitches;

namespace {

using Numbers = std::vector<std::uint32_t>;

Numbers coordinates(std::uint32_t node, const Numbers& dimensions) {
    Numbers found;
    for (const auto length : dimensions) {
        found.push_back(node % length);
        node /= length;
    }
    return found;
}

/// The Manhattan distance of two nodes, round the torus where that is nearer.
std::uint32_t distance(std::uint32_t a, std::uint32_t b, const Torus& torus) {
    const Numbers from = coordinates(a, torus.dimensions);
    const Numbers to = coordinates(b, torus.dimensions);
    std::uint32_t sum = 0;
    for (std::size_t d = 0; d < from.size(); ++d) {
        const auto apart = std::max(from[d], to[d]) - std::min(from[d], to[d]);
        sum += torus.wraps ? std::min(apart, torus.dimensions[d] - apart) : apart;
    }
    return sum;
}

std::uint32_t nodes(const Torus& torus) {
    std::uint32_t product = 1;
    for (const auto length : torus.dimensions) product *= length;
    return product;
}

std::vector<Link> route(const TorusSwitches& switches, std::uint32_t from, std::uint32_t to) {
    std::vector<Link> links;
    switches.route(from, to, links);
    return links;
}

/// The node to which a link goes: link 2 d goes up in dimension d of its node, 2 d + 1 down.
std::uint32_t end_of(Link link, const Torus& torus) {
    const auto directions = static_cast<std::uint32_t>(2 * torus.dimensions.size());
    Numbers at = coordinates(link / directions, torus.dimensions);
    const std::size_t d = link % directions / 2;
    const auto length = torus.dimensions[d];
    at[d] = (at[d] + (link % 2 == 0 ? 1 : length - 1)) % length;
    std::uint32_t node = 0;
    for (std::size_t i = at.size(); i-- > 0;) node = node * torus.dimensions[i] + at[i];
    return node;
}

const std::vector<Torus> shapes{{{4, 4, 4}, true}, {{5, 3}, true},  {{2, 2, 2}, true},
                                {{7}, true},       {{3, 4}, false}, {{1, 6, 1, 2}, true}};

}  // namespace

TEST_CASE("a route through a torus is as long as the wrapped Manhattan distance",
          "[simulate][links]") {
    for (const Torus& torus : shapes) {
        const TorusSwitches switches(torus);
        std::uint32_t longest = 0;
        for (std::uint32_t from = 0; from < nodes(torus); ++from)
            for (std::uint32_t to = 0; to < nodes(torus); ++to) {
                const auto links = route(switches, from, to);
                REQUIRE(links.size() == distance(from, to, torus));
                longest = std::max(longest, static_cast<std::uint32_t>(links.size()));
                // Each link begins where the one before it ends.
                std::uint32_t at = from;
                for (const Link link : links) {
                    REQUIRE(link < switches.links());
                    REQUIRE(link / (2 * torus.dimensions.size()) == at);
                    at = end_of(link, torus);
                }
                REQUIRE(at == to);
                // One dimension after the other, the first one first.
                REQUIRE(std::is_sorted(links.begin(), links.end(), [&](Link a, Link b) {
                    const auto directions = 2 * torus.dimensions.size();
                    return a % directions / 2 < b % directions / 2;
                }));
            }
        CHECK(longest == switches.diameter());
    }
}

TEST_CASE("if all nodes of a torus send to all, the links of a dimension carry equally much",
          "[simulate][links]") {
    for (const Torus& torus : shapes) {
        if (!torus.wraps) continue;
        const TorusSwitches switches(torus);
        std::vector<std::uint32_t> loads(switches.links());
        for (std::uint32_t from = 0; from < nodes(torus); ++from)
            for (std::uint32_t to = 0; to < nodes(torus); ++to)
                for (const Link link : route(switches, from, to)) ++loads[link];
        const std::size_t directions = 2 * torus.dimensions.size();
        for (std::size_t d = 0; d < torus.dimensions.size(); ++d) {
            const auto length = torus.dimensions[d];
            // All distances along a line of the dimension, for each of the nodes to which it leads.
            std::uint32_t sum = 0;
            for (std::uint32_t apart = 1; apart < length; ++apart)
                sum += std::min(apart, length - apart);
            for (std::size_t link = 2 * d; link < loads.size(); link += directions) {
                CHECK(loads[link] == loads[2 * d]);
                CHECK(loads[link + 1] == loads[2 * d + 1]);
                CHECK(loads[link] + loads[link + 1] == sum * nodes(torus) / length);
                // An odd half of a line has no half.
                if (length % 4 != 2) CHECK(loads[link] == loads[link + 1]);
            }
        }
    }
}

#include "lapwing/simulate/links/dragonfly_switches.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "lapwing/profile/interconnect.hpp"

using lapwing::Dragonfly;
using lapwing::Interconnect;
using lapwing::simulate::DragonflySwitches;
using lapwing::simulate::Link;

namespace {

Dragonfly dragonfly(const char* text) {
    return std::get<Dragonfly>(Interconnect::from_text(text).shape);
}
std::uint32_t nodes(const Dragonfly& fly) { return fly.groups * fly.leaves * fly.below; }

/// The links of a route: l within a group, g from one group to another.
std::string kinds(const DragonflySwitches& switches, const Dragonfly& fly, std::uint32_t from,
                  std::uint32_t to) {
    const auto of_a_group = fly.leaves + fly.spines;
    std::vector<Link> links;
    switches.route(from, to, links);
    std::string found;
    for (const Link link : links) {
        REQUIRE(link < switches.links());
        found += link < fly.groups * of_a_group * of_a_group ? 'l' : 'g';
    }
    return found;
}

/// All different kinds of routes.
std::set<std::string> all_kinds(const char* text) {
    const Dragonfly fly = dragonfly(text);
    const DragonflySwitches switches(fly);
    std::set<std::string> found;
    for (std::uint32_t from = 0; from < nodes(fly); ++from)
        for (std::uint32_t to = 0; to < nodes(fly); ++to)
            if (from != to) found.insert(kinds(switches, fly, from, to));
    return found;
}

}  // namespace

TEST_CASE("minimal routes of a dragonfly are at most local, global, local", "[simulate][links]") {
    using Kinds = std::set<std::string>;
    CHECK(all_kinds("dragonfly:5x4x2") == Kinds{"", "l", "g", "lg", "gl", "lgl"});
    CHECK(all_kinds("dragonfly:9x4x1,global=3") == Kinds{"l", "g", "lg", "gl", "lgl"});
    CHECK(all_kinds("dragonfly:1x4x2") == Kinds{"", "l"});
    // Leaves are connected over spines, from which the links to other groups go.
    CHECK(all_kinds("dragonfly+:5x4x2x3") == Kinds{"", "ll", "lgl"});
}

TEST_CASE("detours of a dragonfly pass one other group", "[simulate][links]") {
    for (const char* text : {"dragonfly:6x4x2,detour=0.5", "dragonfly+:6x4x2x2,detour=0.5"}) {
        const Dragonfly fly = dragonfly(text);
        const DragonflySwitches switches(fly);
        double pairs = 0;
        double detours = 0;
        for (std::uint32_t from = 0; from < nodes(fly); ++from)
            for (std::uint32_t to = 0; to < nodes(fly); ++to) {
                const bool other = from / (fly.leaves * fly.below) != to / (fly.leaves * fly.below);
                const auto route = kinds(switches, fly, from, to);
                const auto globals = std::count(route.begin(), route.end(), 'g');
                if (!other) {
                    REQUIRE(globals == 0);
                    continue;
                }
                REQUIRE((globals == 1 || globals == 2));
                REQUIRE(route.size() <= switches.diameter());
                ++pairs;
                if (globals == 2) ++detours;
            }
        CHECK(detours / pairs == Approx(0.5).margin(0.05));
    }
    const auto all = all_kinds("dragonfly:6x4x2,detour=1");
    CHECK(all.count("lgl") == 0);
    CHECK(all.count("lglgl") == 1);
}

TEST_CASE("the links of a dragonfly between two groups are used alike", "[simulate][links]") {
    const Dragonfly fly = dragonfly("dragonfly:4x6x8,global=2");
    const DragonflySwitches switches(fly);
    std::vector<int> loads(switches.links());
    for (std::uint32_t from = 0; from < nodes(fly); ++from)
        for (std::uint32_t to = 0; to < nodes(fly); ++to) {
            std::vector<Link> links;
            switches.route(from, to, links);
            for (const Link link : links) ++loads[link];
        }
    const double fair = 48 * 48 / 2.0;  // nodes of either group, over two links
    for (Link a = 0; a < 4; ++a)
        for (Link b = 0; b < 4; ++b)
            for (Link k = 0; k < 2; ++k) {
                const auto load = loads[4 * 6 * 6 + (a * 4 + b) * 2 + k];
                if (a == b)
                    CHECK(load == 0);
                else
                    CHECK(load == Approx(fair).epsilon(0.1));
            }
}

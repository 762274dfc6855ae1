#include "lapwing/simulate/links/dragonfly_switches.hpp"

#include <utility>

namespace lapwing::simulate {
namespace {

/// A number that differs for all pairs and has no pattern in them (SplitMix64).
std::uint64_t hash(std::uint32_t from, std::uint32_t to) {
    std::uint64_t value = (std::uint64_t{from} << 32U | to) + 0x9E3779B97F4A7C15U;
    value = (value ^ value >> 30U) * 0xBF58476D1CE4E5B9U;
    value = (value ^ value >> 27U) * 0x94D049BB133111EBU;
    return value ^ value >> 31U;
}

/// The fraction of all numbers that are below `value`.
double fraction(std::uint64_t value) {
    constexpr double all = 0x1p64;
    return static_cast<double>(value) / all;
}

}  // namespace

void DragonflySwitches::go(Switch& at, std::uint32_t number, std::uint64_t choice,
                           std::vector<Link>& links) const {
    if (at.number == number) return;
    const auto step = [&](std::uint32_t next) {
        links.push_back((at.group * switches_ + at.number) * switches_ + next);
        at.number = next;
    };
    const bool leaf_here = at.number < fly_.leaves;
    const bool leaf_there = number < fly_.leaves;
    // Leaves of a dragonfly+ are connected over spines, and these over leaves.
    if (fly_.spines > 0 && leaf_here == leaf_there)
        step(leaf_here ? fly_.leaves + static_cast<std::uint32_t>(choice % fly_.spines)
                       : static_cast<std::uint32_t>(choice % fly_.leaves));
    step(number);
}

void DragonflySwitches::leave(Switch& at, std::uint32_t group, std::uint64_t choice,
                              std::vector<Link>& links) const {
    const auto number = static_cast<std::uint32_t>((choice >> 32U) % fly_.global);
    go(at, gate(group, number), choice, links);
    links.push_back(first_global_ + (at.group * fly_.groups + group) * fly_.global + number);
    at = {group, gate(at.group, number)};
}

void DragonflySwitches::route(std::uint32_t from, std::uint32_t to,
                              std::vector<Link>& links) const {
    Switch at = leaf(from);
    const Switch target = leaf(to);
    const std::uint64_t choice = hash(from, to);
    if (at.group != target.group) {
        if (fraction(choice) < fly_.detour) {
            // One of the other groups, each equally often.
            auto third = static_cast<std::uint32_t>(hash(to, from) % (fly_.groups - 2));
            const auto [low, high] = at.group < target.group ? std::pair{at.group, target.group}
                                                             : std::pair{target.group, at.group};
            if (third >= low) ++third;
            if (third >= high) ++third;
            leave(at, third, choice, links);
        }
        leave(at, target.group, choice, links);
    }
    go(at, target.number, choice, links);
}

}  // namespace lapwing::simulate

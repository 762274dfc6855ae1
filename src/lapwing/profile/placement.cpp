#include "lapwing/profile/placement.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <set>
#include <stdexcept>
#include <string>

namespace lapwing {
namespace {

constexpr std::size_t most_listed = std::size_t{1} << 22U;

[[noreturn]] void fail(std::string_view text) {
    throw std::invalid_argument("'" + std::string(text) +
                                "' is no placement; one is consecutive, spread, round-robin, "
                                "random:SEED or a list of nodes, each once, such as 0,7,16-31");
}

template <class Number>
Number number(std::string_view word, std::string_view text) {
    Number value = 0;
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, value);
    if (error != std::errc{} || stop != end) fail(text);
    return value;
}

std::vector<std::uint32_t> list(std::string_view text) {
    std::vector<std::uint32_t> nodes;
    std::string_view rest = text;
    do {
        if (!nodes.empty()) rest.remove_prefix(1);
        const std::string_view word = rest.substr(0, std::min(rest.find(','), rest.size()));
        rest.remove_prefix(word.size());
        const std::size_t dash = std::min(word.find('-'), word.size());
        const auto first = number<std::uint32_t>(word.substr(0, dash), text);
        const auto last =
            dash < word.size() ? number<std::uint32_t>(word.substr(dash + 1), text) : first;
        if (last < first || nodes.size() + (last - first) >= most_listed) fail(text);
        for (std::uint32_t node = first; node < last; ++node) nodes.push_back(node);
        nodes.push_back(last);
    } while (!rest.empty());
    if (std::set<std::uint32_t>(nodes.begin(), nodes.end()).size() != nodes.size()) fail(text);
    return nodes;
}

}  // namespace

Placement Placement::from_text(std::string_view text) {
    constexpr std::string_view random = "random:";
    if (text == "consecutive") return {.order = Order::consecutive, .nodes = {}};
    if (text == "spread") return {.order = Order::spread, .nodes = {}};
    if (text == "round-robin") return {.order = Order::round_robin, .nodes = {}};
    if (text.substr(0, random.size()) == random)
        return {.order = Order::random,
                .seed = number<std::uint64_t>(text.substr(random.size()), text),
                .nodes = {}};
    return {.order = Order::listed, .nodes = list(text)};
}

}  // namespace lapwing

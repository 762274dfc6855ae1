#include "lapwing/simulate/costs/loggops_text.hpp"

#include <charconv>
#include <cstdint>
#include <set>
#include <sstream>
#include <stdexcept>

namespace lapwing::simulate {
namespace {

constexpr std::int64_t longest = 1'000'000'000'000;  // ns: a thousand seconds

std::int64_t whole(const std::string& item, std::size_t from, std::int64_t most) {
    std::int64_t value = 0;
    const char* const end = item.data() + item.size();
    const auto [stop, error] = std::from_chars(item.data() + from, end, value);
    if (error != std::errc{} || stop != end || value < 0 || value > most)
        throw std::invalid_argument("--parameters: '" + item +
                                    "' is not a whole number from 0 to " + std::to_string(most));
    return value;
}

}  // namespace

LogGOPS loggops_from_text(const std::string& text) {
    LogGOPS machine;
    std::set<std::string> seen;
    std::istringstream items(text);
    for (std::string item; std::getline(items, item, ',');) {
        const std::size_t equals = item.find('=');
        const std::string name = item.substr(0, equals);
        if (equals == std::string::npos || name.size() != 1 ||
            std::string("LogGOS").find(name) == std::string::npos)
            throw std::invalid_argument("--parameters: '" + item +
                                        "' is none of L=, o=, g=, G=, O= and S=");
        if (!seen.insert(name).second)
            throw std::invalid_argument("--parameters: " + name + " is there twice");
        const auto value = [&](std::int64_t most) { return whole(item, equals + 1, most); };
        if (name == "L") machine.L = value(longest);
        if (name == "o") machine.o = value(longest);
        if (name == "g") machine.g = value(longest);
        // Times per byte, of up to 2^48 bytes.
        if (name == "G") machine.G = value(10'000);
        if (name == "O") machine.O = value(10'000);
        if (name == "S") machine.S = static_cast<std::uint64_t>(value(std::int64_t{1} << 62));
    }
    return machine;
}

}  // namespace lapwing::simulate

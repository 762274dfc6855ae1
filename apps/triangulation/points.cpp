#include "points.hpp"

#include <charconv>
#include <cmath>
#include <stdexcept>
#include <system_error>

#include "checksum.hpp"
#include "lapwing/io/file.hpp"

namespace lapwing::triangulation {
namespace {

constexpr double largest = 1e100;  ///< products of four coordinates stay finite

double fraction(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

std::string_view without_blanks(std::string_view text) {
    constexpr std::string_view blanks = " \t\r";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Takes a number off the front of `text`; false where there is none that will do.
bool take_number(std::string_view& text, double& number) {
    text = without_blanks(text);
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || !(std::abs(number) <= largest)) return false;
    const auto length = static_cast<std::size_t>(end - text.data());
    text.remove_prefix(length);
    return text.empty() || text.front() == ' ' || text.front() == '\t';
}

}  // namespace

Point random_point(std::uint64_t seed, std::uint64_t number) {
    const std::uint64_t key = mix(seed) + 2 * number;
    return {fraction(mix(key)), fraction(mix(key + 1)), number};
}

std::vector<Point> points_in(std::string_view text, const std::string& name) {
    std::vector<Point> points;
    for (std::uint64_t line = 1; !text.empty(); ++line) {
        const std::string_view whole = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(whole.size() + 1, text.size()));
        std::string_view rest = without_blanks(whole);
        if (rest.empty()) continue;
        Point point{.number = points.size()};
        if (!take_number(rest, point.x) || !take_number(rest, point.y) ||
            !without_blanks(rest).empty())
            throw std::invalid_argument(name + ": line " + std::to_string(line) +
                                        " is no point: write x and y, numbers up to 1e100");
        points.push_back(point);
    }
    return points;
}

std::vector<Point> read_points(const std::string& path) { return points_in(read_file(path), path); }

}  // namespace lapwing::triangulation

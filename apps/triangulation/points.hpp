#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "point.hpp"

namespace lapwing::triangulation {

/// Random point `number` of the unit square. It depends on the seed and its number alone, not on
/// the points before it.
[[nodiscard]] Point random_point(std::uint64_t seed, std::uint64_t number);

/// The points of a text that has "x y" in each line; lines without anything are left out. `name`:
/// of the file, for errors. Throws `std::invalid_argument` for a line that is no point, and for
/// coordinates beyond 1e100.
[[nodiscard]] std::vector<Point> points_in(std::string_view text, const std::string& name);

/// The points of the file `path`. Throws as `points_in`, and `std::runtime_error` with the system's
/// reason.
[[nodiscard]] std::vector<Point> read_points(const std::string& path);

}  // namespace lapwing::triangulation

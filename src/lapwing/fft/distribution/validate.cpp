#include "lapwing/fft/distribution/validate.hpp"

#include <algorithm>
#include <climits>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>

namespace lapwing::fft {

std::string to_text(const Size& size) {
    return std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" + std::to_string(size[2]);
}

void require_valid(const Options& options, int ranks) {
    if (!fits(options.schedule, options.transport))
        throw std::invalid_argument(std::string("fft: the schedule ") + name(options.schedule) +
                                    " has no use for the transport " + name(options.transport));
    if (options.strips == 0)
        throw std::invalid_argument("fft: a part is cut into at least one strip");
    if (!(options.poll_interval >= 0))
        throw std::invalid_argument("fft: an interval of polling is not negative");
    if (options.tile == 0) throw std::invalid_argument("fft: a tile has at least one plane");
    if (options.batch == 0) throw std::invalid_argument("fft: a batch has at least one array");
    const bool typed = options.packing == Packing::derived;
    if (typed &&
        (options.schedule != Schedule::exchange || options.transport != Transport::collective))
        throw std::invalid_argument(
            "fft: packing by a derived type is for the schedule exchange over the transport "
            "collective");
    if (options.block == 0) throw std::invalid_argument("fft: a block has at least one plane");
    if (options.window < 0) throw std::invalid_argument("fft: a window is not negative");
    const auto [rows, columns] = options.grid;
    if (rows == 0 && columns == 0) return;
    const std::string grid =
        "fft: a grid of " + std::to_string(rows) + "x" + std::to_string(columns);
    if (options.decomposition == Decomposition::planes)
        throw std::invalid_argument(grid + " is for the decomposition 2d, not 1d");
    if (rows < 1 || columns < 1 || rows != ranks / columns || ranks % columns != 0)
        throw std::invalid_argument(grid + " has not one place for each of " +
                                    std::to_string(ranks) + (ranks == 1 ? " rank" : " ranks"));
}

void require_addressable(const Size& size, std::size_t bytes) {
    if (std::find(size.begin(), size.end(), std::size_t{0}) != size.end())
        throw std::invalid_argument("fft: an array of " + to_text(size) + " has no elements");
    // The factor 2 leaves room for sums of sizes; lengths of axes must fit an int.
    std::size_t room = std::numeric_limits<std::ptrdiff_t>::max() / bytes / 2;
    for (const std::size_t length : size) {
        if (length > INT_MAX || length > room)
            throw std::invalid_argument("fft: an array of " + to_text(size) +
                                        " is larger than memory can be");
        room /= length;
    }
}

}  // namespace lapwing::fft

#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace lapwing {

/// `sizes` and further sizes between them where the time of a message is not a straight line. It
/// jumps where MPI changes its protocol or needs one more packet. It bends where a token bucket is
/// empty. If the line through two sizes misses the one half-way by more than `share` of the time,
/// the function adds that size and refines both halves.
///
/// `sizes`: bytes, increasing. `unit`: added sizes are multiples of it, bytes. `seconds(size)`:
/// measures a message. After the first size that takes more than `longest` seconds none is
/// measured.
[[nodiscard]] std::vector<std::uint64_t> refine_where_nonlinear(
    const std::vector<std::uint64_t>& sizes, std::uint64_t unit, double longest,
    const std::function<double(std::uint64_t)>& seconds, double share = 0.05);

}  // namespace lapwing

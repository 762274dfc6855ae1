#pragma once

#include <cstddef>
#include <functional>

namespace lapwing::fft {

/// A function that the transform calls before it reads a plane of its input. `array`: number of the
/// array in the batch. `plane`: number of the plane on this rank, along the first axis in memory.
/// The function may write that plane and no other. Work per element that is done here hides
/// communication, too, and leaves the plane in a cache.
using Prepare = std::function<void(std::size_t array, std::size_t plane)>;

}  // namespace lapwing::fft

#pragma once

#include <cstddef>
#include <functional>

namespace lapwing::fft {

/// Called by a transform before it reads a plane of its input: plane `plane` of array `array` of a
/// batch, counted on this rank along the first axis in memory. It may write that plane, and no
/// other. What a program does to every element before a transform hides communication, too, if it
/// is done here, and leaves each plane in a cache.
using Prepare = std::function<void(std::size_t array, std::size_t plane)>;

}  // namespace lapwing::fft

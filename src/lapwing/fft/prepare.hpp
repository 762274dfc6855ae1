#pragma once

#include <cstddef>
#include <functional>

namespace lapwing::fft {

/// Called by a transform before it takes a plane of its input: of array `array` of a batch, plane
/// `plane`, counted on this rank along the axis that lies first in memory. It may make that plane
/// or change it, and no other. So what is done to all elements before a transform hides what is
/// sent, too, and finds each plane in a cache.
using Prepare = std::function<void(std::size_t array, std::size_t plane)>;

}  // namespace lapwing::fft

#pragma once

#include <cstddef>
#include <string>

#include "lapwing/fft/options.hpp"

namespace lapwing::fft {

/// The size as text, such as "64x64x64".
[[nodiscard]] std::string to_text(const Size& size);

/// Throws `std::invalid_argument` if the options contradict each other or do not fit the number of
/// ranks.
void require_valid(const Options& options, int ranks);

/// Throws `std::invalid_argument` if an array of `size` elements of `bytes` bytes each is empty, or
/// larger than memory can be.
void require_addressable(const Size& size, std::size_t bytes);

}  // namespace lapwing::fft

#pragma once

#include <functional>
#include <string>

namespace lapwing {

/// Tells how far a measurement is: the share done, 0 … 1, and the next quantity, in words.
using StatusCallback = std::function<void(double, const std::string&)>;

}  // namespace lapwing

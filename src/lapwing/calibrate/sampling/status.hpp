#pragma once

#include <functional>
#include <string>

namespace lapwing {

/// Tells how far a measurement is: the share that is done, 0 … 1, and what is measured next, in
/// words.
using StatusCallback = std::function<void(double, const std::string&)>;

}  // namespace lapwing

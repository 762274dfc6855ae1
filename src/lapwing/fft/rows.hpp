#pragma once

namespace lapwing::fft {

/// What a turn makes of the lines along the third axis.
enum class Rows {
    none,     ///< nothing
    complex,  ///< transforms them
    real,     ///< transforms real numbers to half a spectrum, or that to real numbers
};

}  // namespace lapwing::fft

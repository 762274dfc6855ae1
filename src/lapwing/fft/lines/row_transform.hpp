#pragma once

namespace lapwing::fft {

/// What a transpose makes of the lines along the third axis.
enum class RowTransform {
    none,     ///< nothing
    complex,  ///< transforms them
    real,     ///< transforms real numbers to half a spectrum, or that to real numbers
};

}  // namespace lapwing::fft

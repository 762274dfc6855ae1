#pragma once

namespace lapwing::fft {

/// What a transpose does to rows, the lines along the third axis.
enum class RowTransform {
    none,     ///< leaves them as they are
    complex,  ///< transforms complex numbers
    real,     ///< transforms real numbers to half a spectrum, or half a spectrum to real numbers
};

}  // namespace lapwing::fft

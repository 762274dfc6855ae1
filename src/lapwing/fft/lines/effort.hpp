#pragma once

namespace lapwing::fft {

/// How long to look for the fastest way to transform a line, as FFTW has it.
enum class Effort {
    estimate,  ///< not at all
    measure,   ///< some ways are timed
    patient,   ///< many are
};

[[nodiscard]] constexpr const char* name(Effort effort) {
    constexpr const char* names[] = {"estimate", "measure", "patient"};
    return names[static_cast<int>(effort)];
}

/// The sign of the exponent. Neither divides by the number of elements.
enum class Sign { forward = -1, inverse = 1 };

}  // namespace lapwing::fft

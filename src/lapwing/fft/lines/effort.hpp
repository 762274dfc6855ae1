#pragma once

namespace lapwing::fft {

/// How long FFTW may search for the fastest way to transform a line.
enum class Effort {
    estimate,  ///< no search: FFTW guesses
    measure,   ///< times a few ways
    patient,   ///< times many ways
};

[[nodiscard]] constexpr const char* name(Effort effort) {
    constexpr const char* names[] = {"estimate", "measure", "patient"};
    return names[static_cast<int>(effort)];
}

/// The sign of the exponent. Neither direction divides by the number of elements.
enum class Sign { forward = -1, inverse = 1 };

}  // namespace lapwing::fft

#pragma once

#include <string>

namespace lapwing::fft {

/// Writes the wisdom that FFTW has gathered in this process to `path`: the fastest ways that
/// `Effort::measure` and `Effort::patient` have found, in both precisions. One rank saves for all.
/// The file appears only when it is complete. Throws `std::runtime_error` with the path and the
/// system's reason.
void save_wisdom(const std::string& path);

/// Adds the wisdom that `save_wisdom` wrote, so that the same lines are planned at once and in the
/// same way. Each rank loads it before it plans. Throws `std::runtime_error` with the path if the
/// file cannot be read, is damaged or is another FFTW's; FFTW's wisdom is then unchanged.
void load_wisdom(const std::string& path);

}  // namespace lapwing::fft

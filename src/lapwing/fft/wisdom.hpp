#pragma once

#include <string>

namespace lapwing::fft {

/// Writes to `path` what FFTW has learnt in this process about the fastest way to transform lines,
/// in either precision: what `Effort::measure` and `Effort::patient` have found. The file appears
/// when it is whole. One rank saves for all. Throws `std::runtime_error` with the path and the
/// system's reason.
void save_wisdom(const std::string& path);

/// Adds what `save_wisdom` wrote, so that transforms of the same lines are planned in no time and
/// alike. Each rank loads for itself, before it plans. Throws `std::runtime_error`, naming the
/// path, where the file cannot be read, is broken or is another FFTW's; nothing is then known that
/// was not before.
void load_wisdom(const std::string& path);

}  // namespace lapwing::fft

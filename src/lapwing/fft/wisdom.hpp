#pragma once

#include <string>

namespace lapwing::fft {

/// Writes FFTW's wisdom to `path`: the fastest lines that `Effort::measure` and `Effort::patient`
/// have found in this process, in both precisions. One rank saves for all. The file appears only
/// when it is complete. Throws `std::runtime_error` with the path and the system's reason.
void save_wisdom(const std::string& path);

/// Adds the wisdom that `save_wisdom` wrote. FFTW then plans the same lines at once and in the same
/// way. Each rank loads it before it plans. Throws `std::runtime_error` with the path if the file
/// is unreadable, damaged, or from another FFTW. FFTW then keeps its wisdom.
void load_wisdom(const std::string& path);

}  // namespace lapwing::fft

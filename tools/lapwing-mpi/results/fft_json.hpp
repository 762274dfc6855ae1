#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lapwing/fft/distribution/grid.hpp"
#include "lapwing/fft/options.hpp"
#include "lapwing/fft/phases.hpp"

namespace lapwing::tools {

/// One way to transform, timed several times, in seconds.
struct TimedTransform {
    fft::Options options;
    std::vector<double> seconds{};
    std::array<std::vector<double>, fft::phases> phases{};  ///< of the rank that takes longest
    std::uint64_t messages = 0;      ///< of the rank that sends most, in one transform
    std::optional<bool> verified{};  ///< none if there was no data to compare
};

/// What was transformed, and how long each way took.
struct FftResult {
    std::vector<std::size_t> size{};
    bool real = false;
    std::size_t batch = 1;
    std::string decomposition{};
    fft::Grid grid{};
    std::string order{};
    int ranks = 0;
    int repetitions = 0;
    bool data = true;  ///< whether there was any, rather than its time charged alone
    std::vector<TimedTransform> ways{};
};

/// The result as text.
[[nodiscard]] std::string fft_json(const FftResult& result);

}  // namespace lapwing::tools

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lapwing/fft/options.hpp"

namespace CLI {
class App;
}

namespace lapwing::tools {

/// `lapwing-mpi fft`: times a forward transform in several ways, in turn.
class FftCommand {
  public:
    explicit FftCommand(CLI::App& app);
    [[nodiscard]] bool chosen() const;
    void run() const;

  private:
    /// The options that all ways share.
    [[nodiscard]] fft::Options common_options() const;

    CLI::App* command_;
    std::vector<std::size_t> size_;
    std::vector<std::string> ways_;
    bool real_ = false;
    std::size_t batch_ = 1;
    std::string decomposition_ = "1d";
    std::string order_ = "transposed";
    std::string effort_ = "measure";
    std::string result_;
    int repetitions_ = 1;
    std::optional<double> poll_;
};

}  // namespace lapwing::tools

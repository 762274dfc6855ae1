#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lapwing::compress {
struct Job;
struct Trial;
}  // namespace lapwing::compress

namespace lapwing::tools {

/// `lapwing-mpi compress`: parallel compression with bzip2, block by block, and its benchmark.
class CompressCommand {
  public:
    explicit CompressCommand(CLI::App& app);
    [[nodiscard]] bool chosen() const;
    void run() const;

  private:
    /// What to do. Throws `std::invalid_argument` if the input or the output is missing.
    [[nodiscard]] compress::Job job() const;
    /// What to time in a benchmark.
    [[nodiscard]] compress::Trial trial() const;

    CLI::App* command_;
    std::string input_;
    std::string output_;
    std::string result_;
    std::string trace_;
    std::string profile_;
    std::size_t block_ = 900'000;
    std::vector<std::uint64_t> tiles_;
    std::vector<int> windows_;
    std::uint64_t random_ = 0;
    int repetitions_ = 0;
    bool decompress_ = false;
    bool force_ = false;
    bool benchmark_ = false;
};

}  // namespace lapwing::tools

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/nas/common/benchmarks.hpp"

namespace CLI {
class App;
}

namespace lapwing::tools {

/// `lapwing-mpi mg` and its like: runs one of the NAS Parallel Benchmarks.
class NasCommand {
  public:
    NasCommand(CLI::App& app, const nas::BenchmarkOptions& benchmark);
    [[nodiscard]] bool chosen() const;
    void run() const;

  private:
    const nas::BenchmarkOptions& benchmark_;
    CLI::App* command_;
    std::string class_ = "S";
    std::string schedule_ = "overlapped";
    std::string transport_ = "two-sided";
    std::vector<std::int64_t> settings_;
    std::string profile_;
    int ranks_per_node_ = 1;
    std::string trace_;
    std::string result_;
};

}  // namespace lapwing::tools

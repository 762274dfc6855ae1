#pragma once

#include <cstddef>
#include <string>

#include "lapwing/fft/options.hpp"

namespace CLI {
class App;
}

namespace lapwing::tools {

/// `lapwing-mpi ft`: runs the NAS Parallel Benchmark FT.
class FtCommand {
  public:
    explicit FtCommand(CLI::App& app);
    [[nodiscard]] bool chosen() const;
    void run() const;

  private:
    CLI::App* command_;
    std::string class_ = "S";
    std::string schedule_ = "slabs";
    std::string transport_;
    std::string effort_ = "measure";
    std::string result_;
    std::size_t tile_ = 1;
    int window_ = 0;
    std::size_t strips_ = fft::Options{}.strips;
    std::string packing_ = "copy";
    std::size_t block_ = 1;
    std::size_t padding_ = 0;
};

}  // namespace lapwing::tools

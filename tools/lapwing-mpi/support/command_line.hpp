#pragma once

#include <memory>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace lapwing::tools {

/// The command line of a native program, which is told one of its commands. Knows no MPI.
class CommandLine {
  public:
    /// `description`: what the program says of itself where it is asked for help.
    CommandLine(const std::string& description, const std::string& name);
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;
    ~CommandLine();

    /// Where commands add themselves.
    [[nodiscard]] CLI::App& app() { return *app_; }
    /// Reads what the program was started with. The exit status where that is all: 0 for help, 2
    /// for a mistake; either is printed where this process `speaks`.
    std::optional<int> parse(int argc, const char* const* argv, bool speaks);

  private:
    std::unique_ptr<CLI::App> app_;
};

}  // namespace lapwing::tools

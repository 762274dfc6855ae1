#pragma once

#include <memory>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace lapwing::tools {

/// The command line of a native program that has several commands. Needs no MPI.
class CommandLine {
  public:
    /// `description`: of the program, printed with --help.
    CommandLine(const std::string& description, const std::string& name);
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;
    ~CommandLine();

    /// Where commands add their options.
    [[nodiscard]] CLI::App& app() { return *app_; }
    /// Parses the arguments. Returns an exit status if the program is to end: 0 after help, 2 after
    /// a mistake. `speaks`: whether this process prints either.
    std::optional<int> parse(int argc, const char* const* argv, bool speaks);

  private:
    std::unique_ptr<CLI::App> app_;
};

}  // namespace lapwing::tools

#include "support/command_line.hpp"

#include <CLI/CLI.hpp>

namespace lapwing::tools {

CommandLine::CommandLine(const std::string& description, const std::string& name)
    : app_(std::make_unique<CLI::App>(description, name)) {
    app_->require_subcommand(1);
}

CommandLine::~CommandLine() = default;

std::optional<int> CommandLine::parse(int argc, const char* const* argv, bool speaks) {
    try {
        app_->parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        const int status = speaks ? app_->exit(error) : error.get_exit_code();
        return status == 0 ? 0 : 2;
    }
    return std::nullopt;
}

}  // namespace lapwing::tools

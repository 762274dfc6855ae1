#pragma once

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace lapwing::compress {

/// Throws what went wrong with a file, in the system's words.
[[noreturn]] inline void fail(const std::string& path, const std::string& what, int error = errno) {
    throw std::runtime_error(path + ": " + what + ": " + std::strerror(error));
}

}  // namespace lapwing::compress

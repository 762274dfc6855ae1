#pragma once

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace lapwing::compress {

/// Throws `std::runtime_error`: "PATH: WHAT: " and the system's reason.
[[noreturn]] inline void fail(const std::string& path, const std::string& what, int error = errno) {
    throw std::runtime_error(path + ": " + what + ": " + std::strerror(error));
}

}  // namespace lapwing::compress

#include "lapwing/io/file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace lapwing {
namespace {

[[noreturn]] void refuse(const std::string& path, const char* doing, int error) {
    throw std::runtime_error(path + ": cannot " + doing + ": " + std::strerror(error));
}

/// Returns the system's reason if that fails, else 0.
int write_into(const std::string& path, std::string_view content) {
    errno = 0;
    std::ofstream file(path, std::ios::binary);
    file.write(content.data(), static_cast<std::streamsize>(content.size()));
    file.close();
    return file ? 0 : errno;
}

}  // namespace

std::string read_file(const std::string& path) {
    if (std::filesystem::is_directory(path)) refuse(path, "read", EISDIR);
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) refuse(path, "read", errno);
    std::ostringstream content;
    content << file.rdbuf();
    if (file.bad()) refuse(path, "read", errno);
    return content.str();
}

void write_file(const std::string& path, std::string_view content) {
    std::error_code unknown;
    const auto kind = std::filesystem::status(path, unknown).type();
    if (kind == std::filesystem::file_type::fifo || kind == std::filesystem::file_type::character) {
        if (const int error = write_into(path, content)) refuse(path, "write", error);
        return;
    }
    // A link, /dev/stdout for example, stays one.
    const auto found = std::filesystem::canonical(path, unknown);
    const std::string name = unknown ? path : found.string();
    const std::string part = name + ".part" + std::to_string(::getpid());
    if (const int error = write_into(part, content)) {
        std::remove(part.c_str());
        refuse(path, "write", error);
    }
    if (std::rename(part.c_str(), name.c_str()) != 0) {
        const int error = errno;
        std::remove(part.c_str());
        refuse(path, "write", error);
    }
}

}  // namespace lapwing

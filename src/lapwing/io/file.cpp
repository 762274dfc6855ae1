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
    const std::string part = path + ".part" + std::to_string(::getpid());
    errno = 0;
    {
        std::ofstream file(part, std::ios::binary);
        file.write(content.data(), static_cast<std::streamsize>(content.size()));
        file.close();
        if (!file) {
            const int error = errno;
            std::remove(part.c_str());
            refuse(path, "write", error);
        }
    }
    if (std::rename(part.c_str(), path.c_str()) != 0) {
        const int error = errno;
        std::remove(part.c_str());
        refuse(path, "write", error);
    }
}

}  // namespace lapwing

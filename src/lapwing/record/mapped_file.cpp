#include "lapwing/record/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace lapwing::record {

MappedFile::MappedFile(const std::string& path) {
    const auto fail = [&] { throw std::runtime_error(path + ": " + std::strerror(errno)); };
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) fail();
    struct stat about {};
    const bool known = fstat(file, &about) == 0;
    const bool regular = known && S_ISREG(about.st_mode);
    void* memory = nullptr;
    const auto size = static_cast<std::size_t>(about.st_size);
    if (regular && size > 0) memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    const int error = errno;
    close(file);
    if (known && !regular) throw std::runtime_error(path + ": it is no file");
    errno = error;
    if (!known || memory == MAP_FAILED) fail();
    bytes_ = {static_cast<const std::uint8_t*>(memory), size};
}

MappedFile::~MappedFile() {
    if (!bytes_.empty()) munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
}

}  // namespace lapwing::record

#include "lapwing/record/recording.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace lapwing::record {
namespace {

constexpr std::string_view magic = "LWTRACE\n";

/// Reads numbers of a file's header. Throws `std::runtime_error` behind its end.
class Header {
  public:
    Header(const std::string& path, std::span<const std::uint8_t> file)
        : path_(path), file_(file) {}

    [[noreturn]] void fail(const std::string& what) const {
        throw std::runtime_error(path_ + ": " + what);
    }
    std::span<const std::uint8_t> bytes(std::uint64_t count) {
        if (count > left())
            fail("it is cut off: " + std::to_string(count) + " bytes should follow byte " +
                 std::to_string(at_) + ", and " + std::to_string(left()) + " do");
        const auto found = file_.subspan(at_, count);
        at_ += count;
        return found;
    }
    std::uint64_t number(std::size_t size) {
        std::uint64_t value = 0;
        const auto digits = bytes(size);
        for (std::size_t i = size; i-- > 0;) value = value << 8U | digits[i];
        return value;
    }
    [[nodiscard]] std::uint64_t left() const { return file_.size() - at_; }

  private:
    const std::string& path_;
    std::span<const std::uint8_t> file_;
    std::size_t at_ = 0;
};

std::span<const std::uint8_t> map(const std::string& path) {
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
    return {static_cast<const std::uint8_t*>(memory), size};
}

}  // namespace

Recording::Recording(const std::string& path) : path_(path), file_(map(path)) {
    try {
        read_header();
    } catch (...) {
        unmap();
        throw;
    }
}

void Recording::read_header() {
    Header header(path_, file_);
    if (header.left() < magic.size() ||
        std::memcmp(header.bytes(magic.size()).data(), magic.data(), magic.size()) != 0)
        header.fail("it is no recording of a program");
    if (const std::uint64_t its = header.number(4); its != version)
        header.fail("it is a recording of version " + std::to_string(its) + ", not " +
                    std::to_string(version));
    header.number(4);
    const std::uint64_t ranks = header.number(8);
    const auto text = header.bytes(header.number(8));
    description_ = {reinterpret_cast<const char*>(text.data()), text.size()};
    // Each rank has a length at least.
    if (ranks == 0 || ranks > header.left() / 8)
        header.fail("it says that there are " + std::to_string(ranks) +
                    " ranks, and has no room for so many");
    ranks_.reserve(ranks);
    for (std::uint64_t rank = 0; rank < ranks; ++rank)
        ranks_.push_back(header.bytes(header.number(8)));
    if (header.left() > 0) header.fail("bytes follow the records of the last rank");
}

Recording::Recording(Recording&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, {})),
      description_(other.description_),
      ranks_(std::move(other.ranks_)) {}

Recording& Recording::operator=(Recording&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(file_, other.file_);
    std::swap(description_, other.description_);
    std::swap(ranks_, other.ranks_);
    return *this;
}

Recording::~Recording() { unmap(); }

void Recording::unmap() noexcept {
    if (!file_.empty()) munmap(const_cast<std::uint8_t*>(file_.data()), file_.size());
}

}  // namespace lapwing::record

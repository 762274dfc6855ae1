#include "lapwing/record/recording.hpp"

#include <cstring>
#include <stdexcept>

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

}  // namespace

Recording::Recording(const std::string& path) : path_(path), file_(path) { read_header(); }

void Recording::read_header() {
    Header header(path_, file_.bytes());
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

}  // namespace lapwing::record

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace lapwing::record {

/// A file mapped into memory, for reading. The system pages in what is read, and out again.
class MappedFile {
  public:
    /// Throws `std::runtime_error` with the file's name if it cannot be read, or is none.
    explicit MappedFile(const std::string& path);
    MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
    MappedFile& operator=(MappedFile&& other) noexcept {
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;
    ~MappedFile();

    [[nodiscard]] std::span<const std::uint8_t> bytes() const { return bytes_; }

  private:
    std::span<const std::uint8_t> bytes_;
};

}  // namespace lapwing::record

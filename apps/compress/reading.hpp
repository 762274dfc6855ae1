#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "descriptor.hpp"

namespace lapwing::compress {

/// The path that stands for standard input.
inline constexpr const char* standard_input = "-";

/// The size in bytes of the file at `path`; -1 where it has none and has to be read to its end,
/// such as a pipe, which is not opened. Throws where there is no file.
[[nodiscard]] std::int64_t size_of(const std::string& path);

/// A file, or standard input, that is read. Errors are thrown with the system's reason.
class Reading {
  public:
    Reading() = default;
    explicit Reading(const std::string& path);

    /// Reads the next bytes: all there is room for, or all there are. Returns how many; 0 at the
    /// end.
    std::size_t read(std::span<std::byte> into);
    /// Fills `into` with the bytes from offset `place` on. Throws where there are fewer.
    void read_at(std::uint64_t place, std::span<std::byte> into) const;
    [[nodiscard]] const std::string& name() const { return name_; }

  private:
    std::string name_;
    Descriptor file_;
};

}  // namespace lapwing::compress

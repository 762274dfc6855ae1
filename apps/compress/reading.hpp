#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "descriptor.hpp"

namespace lapwing::compress {

/// The name by which standard input is asked for.
inline constexpr const char* standard_input = "-";

/// The size of the file at `path`, or -1 where it has none and has to be read to its end: a pipe,
/// for one, which is not opened. Throws where there is no file.
[[nodiscard]] std::int64_t size_of(const std::string& path);

/// A file, or standard input, that is read. What fails is thrown in the system's words.
class Reading {
  public:
    Reading() = default;
    explicit Reading(const std::string& path);

    /// Reads the next bytes, as many as there are room for or there are; 0 at the end.
    std::size_t read(std::span<std::byte> into);
    /// Reads the bytes from `place` on, all that there are room for: there must be as many.
    void read_at(std::uint64_t place, std::span<std::byte> into) const;
    [[nodiscard]] const std::string& name() const { return name_; }

  private:
    std::string name_;
    Descriptor file_;
};

}  // namespace lapwing::compress

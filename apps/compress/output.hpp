#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "descriptor.hpp"

namespace lapwing::compress {

/// A file that appears under its name only when it is whole. Until then it has no name, where the
/// file system supports that, and vanishes with the process however that ends. Elsewhere it has a
/// temporary name beside its own, and vanishes with this object.
class Output {
  public:
    /// Throws where there is a file at `path` already, unless it is to be replaced.
    Output(std::string path, bool replace);
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    ~Output();

    void write(std::span<const std::byte> data);
    /// Ends writing: puts the file on the disk and gives it its name.
    void finish();
    [[nodiscard]] std::uint64_t written() const { return written_; }  ///< bytes

  private:
    void remove();
    [[noreturn]] void give_up(const char* what);

    std::string path_;
    bool replace_;
    std::string part_;  ///< its temporary name; empty: none
    Descriptor file_;
    std::uint64_t written_ = 0;
};

}  // namespace lapwing::compress

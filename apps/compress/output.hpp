#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "descriptor.hpp"

namespace lapwing::compress {

/// A file that appears under its name only when it is whole. Until then it has no name at all,
/// where the file system knows such files, and goes with the process however that ends; elsewhere
/// it has a name of its own beside, and goes with this object.
class Output {
  public:
    /// Throws where there is a file of that name already and it is not to be replaced.
    Output(std::string path, bool replace);
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    ~Output();

    void write(std::span<const std::byte> data);
    /// All is written: puts it on the disk and under its name.
    void finish();
    [[nodiscard]] std::uint64_t written() const { return written_; }  ///< bytes

  private:
    void remove();
    [[noreturn]] void give_up(const char* what);

    std::string path_;
    bool replace_;
    std::string part_;  ///< its name until it is whole; empty where it has none
    Descriptor file_;
    std::uint64_t written_ = 0;
};

}  // namespace lapwing::compress

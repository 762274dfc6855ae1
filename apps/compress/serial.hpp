#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace lapwing::compress {

/// Reads the next compressed bytes into the memory that it is given. Returns how many; 0 at the
/// end.
using Reader = std::function<std::size_t(std::span<std::byte>)>;
/// Takes the next decompressed bytes.
using Writer = std::function<void(std::span<const std::byte>)>;

/// Decompresses streams of any length, one after another, in little memory.
class Serial {
  public:
    /// `begin`: where `read` begins, in bytes. `name`: of the input, for error messages.
    Serial(Reader read, std::uint64_t begin, std::string name);

    /// Decompresses the next stream. Returns false at the end of the data. Throws where the stream
    /// is damaged, cut short, or no bzip2 stream.
    bool stream(const Writer& write);
    /// Where the last stream ended, in bytes.
    [[nodiscard]] std::uint64_t place() const { return place_ - rest_.size(); }

  private:
    bool refill();

    Reader read_;
    std::uint64_t place_;  ///< where reading goes on
    std::string name_;
    std::vector<std::byte> memory_;
    std::span<std::byte> rest_;  ///< read, and not decompressed yet
};

}  // namespace lapwing::compress

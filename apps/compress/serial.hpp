#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace lapwing::compress {

/// Puts the next bytes of the compressed data into the memory it is given and says how many there
/// were; 0 at the end.
using Reader = std::function<std::size_t(std::span<std::byte>)>;
/// Takes the next bytes of what they decompress to.
using Writer = std::function<void(std::span<const std::byte>)>;

/// Decompresses streams one after another, of any length, in little memory.
class Serial {
  public:
    /// `begin`: the place of what is read first, bytes.  `name`: of what is read, for complaints.
    Serial(Reader read, std::uint64_t begin, std::string name);

    /// Decompresses the stream that begins here. False where nothing begins, because the data ends.
    /// Throws where it is damaged, cut short, or no bzip2 stream.
    bool stream(const Writer& write);
    /// Behind the last stream, bytes.
    [[nodiscard]] std::uint64_t place() const { return place_ - rest_.size(); }

  private:
    bool refill();

    Reader read_;
    std::uint64_t place_;  ///< behind what was read
    std::string name_;
    std::vector<std::byte> memory_;
    std::span<std::byte> rest_;  ///< read, and not yet decompressed
};

}  // namespace lapwing::compress

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lapwing::compress {

/// The largest block that bzip2 sorts at once, bytes.
inline constexpr std::size_t largest_block = 900'000;

/// Appends `block`, at most `largest_block` bytes, to `out` as one bzip2 stream. Which bytes these
/// are depends on the block and on `level` alone (1 … 9: sorted in blocks of that many 100 kB).
/// Messages under way advance meanwhile (`poll_meanwhile`); on a simulated cluster it takes the
/// time that the cluster's rate of "bzip2" says.
void append_compressed(std::span<const std::byte> block, int level, std::vector<std::byte>& out);

/// The least level whose blocks hold `bytes`.
[[nodiscard]] int level_for(std::size_t bytes);

/// Lets the time pass that compressing `bytes` takes on a simulated cluster, polling as above.
void charge_compression(std::size_t bytes);

/// How the decompression of what should be one stream ended.
enum class Decoded {
    whole,   ///< the stream ends where the data does
    longer,  ///< more output than was allowed
    other,   ///< it ends elsewhere, or is damaged
};

/// Appends what the one stream that is all of `data` decompresses to, at most `most` bytes, to
/// `out`.
Decoded append_decompressed(std::span<const std::byte> data, std::size_t most,
                            std::vector<std::byte>& out);

}  // namespace lapwing::compress

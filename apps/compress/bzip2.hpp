#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lapwing::compress {

/// The largest block that bzip2 sorts at once, in bytes.
inline constexpr std::size_t largest_block = 900'000;

/// Compresses `block`, at most `largest_block` bytes, and appends it to `out` as one bzip2 stream,
/// whose bytes depend on the block and `level` alone. `level`: 1 to 9, the size in 100 kB that
/// bzip2 sorts at once. Messages advance meanwhile (`poll_meanwhile`). On a simulated cluster it
/// takes the time of the cluster's rate of "bzip2".
void append_compressed(std::span<const std::byte> block, int level, std::vector<std::byte>& out);

/// The lowest level whose blocks hold `bytes`.
[[nodiscard]] int level_for(std::size_t bytes);

/// Takes the simulated time of compressing `bytes`, and polls meanwhile.
void charge_compression(std::size_t bytes);

/// How the decompression of one stream ended.
enum class Decoded {
    whole,   ///< the stream ends where the data does
    longer,  ///< there was more output than allowed
    other,   ///< the stream ends elsewhere, or is damaged
};

/// Decompresses `data`, which should be one stream, and appends the result, at most `most` bytes,
/// to `out`.
Decoded append_decompressed(std::span<const std::byte> data, std::size_t most,
                            std::vector<std::byte>& out);

}  // namespace lapwing::compress

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lapwing::compress {

/// Length in bytes of the head of a bzip2 stream: "BZh", its level, and the mark of its first
/// block, or of its end where it has no block.
inline constexpr std::size_t stream_head = 10;

/// Offsets in `data` at which streams seem to begin. Some may be none: the same bytes may stand
/// inside a stream, though hardly by chance.
[[nodiscard]] std::vector<std::uint64_t> find_streams(std::span<const std::byte> data);

}  // namespace lapwing::compress

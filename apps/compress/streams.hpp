#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lapwing::compress {

/// Bytes with which a bzip2 stream begins: "BZh", its level, and what marks its first block, or its
/// end where it has none.
inline constexpr std::size_t stream_head = 10;

/// Where in `data` streams seem to begin. That a place looks like it does not make it one: the same
/// bytes may stand inside a stream, if hardly ever by chance.
[[nodiscard]] std::vector<std::uint64_t> find_streams(std::span<const std::byte> data);

}  // namespace lapwing::compress

#pragma once

#include <cstdint>
#include <string_view>

namespace lapwing {

/// A hash of `text` that is the same on every machine: FNV-1a, 64 bits.
[[nodiscard]] constexpr std::uint64_t stable_hash(std::string_view text) {
    std::uint64_t value = 0xcbf29ce484222325U;
    for (const char letter : text) {
        value ^= static_cast<unsigned char>(letter);
        value *= 0x100000001b3U;
    }
    return value;
}

}  // namespace lapwing

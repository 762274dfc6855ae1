#include "streams.hpp"

#include <string_view>

namespace lapwing::compress {

std::vector<std::uint64_t> find_streams(std::span<const std::byte> data) {
    constexpr std::string_view begin = "BZh";
    constexpr std::string_view block = "\x31\x41\x59\x26\x53\x59";  // the digits of pi
    constexpr std::string_view end = "\x17\x72\x45\x38\x50\x90";    // the digits of its square root
    const std::string_view text(reinterpret_cast<const char*>(data.data()), data.size());
    std::vector<std::uint64_t> found;
    for (auto at = text.find(begin); at != std::string_view::npos; at = text.find(begin, at + 1)) {
        if (at + stream_head > text.size()) break;
        const char level = text[at + begin.size()];
        const auto mark = text.substr(at + begin.size() + 1, block.size());
        if (level >= '1' && level <= '9' && (mark == block || mark == end)) found.push_back(at);
    }
    return found;
}

}  // namespace lapwing::compress

#include "bytes.hpp"

#include <charconv>
#include <stdexcept>

namespace lapwing::tools {

std::uint64_t bytes(const std::string& text) {
    constexpr std::uint64_t most = std::uint64_t{1} << 40U;
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    const std::string unit(stop, end);
    unsigned shift = 0;
    if (unit == "KB" || unit == "KiB") {
        shift = 10;
    } else if (unit == "MB" || unit == "MiB") {
        shift = 20;
    } else if (unit == "GB" || unit == "GiB") {
        shift = 30;
    } else if (!unit.empty() && unit != "B") {
        throw std::invalid_argument("'" + text + "' is no size; sizes are like 8, 64KB, 1MB");
    }
    if (error != std::errc{} || number > most >> shift)
        throw std::invalid_argument("'" + text + "' is no size from 0 to 1024GB");
    return number << shift;
}

}  // namespace lapwing::tools

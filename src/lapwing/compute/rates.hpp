#pragma once

#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace lapwing {

/// The rate of `kernel` in a list such as "add=4e9,copy=5e9"; none where it is not in the list or
/// is no number above 0.
inline std::optional<double> find_rate(std::string_view list, std::string_view kernel) {
    while (!list.empty()) {
        const std::string_view entry = list.substr(0, list.find(','));
        list.remove_prefix(entry.size() < list.size() ? entry.size() + 1 : list.size());
        const std::size_t sign = entry.find('=');
        if (sign == std::string_view::npos || entry.substr(0, sign) != kernel) continue;
        const std::string number(entry.substr(sign + 1));
        char* end = nullptr;
        const double rate = std::strtod(number.c_str(), &end);
        if (end == number.c_str() || *end != '\0' || !(rate > 0)) return std::nullopt;
        return rate;
    }
    return std::nullopt;
}

/// What one core of a simulated cluster does a second of `kernel`, from the environment variable
/// LAPWING_KERNELS, which the launcher sets to what the cluster's file says: bytes for "add",
/// "copy" and "bzip2", floating-point operations for "fft". Throws where it is not stated.
inline double simulated_rate(std::string_view kernel) {
    const char* list = std::getenv("LAPWING_KERNELS");
    if (const auto rate = find_rate(list != nullptr ? list : "", kernel)) return *rate;
    throw std::runtime_error("LAPWING_KERNELS names no rate for \"" + std::string(kernel) +
                             "\": simulated computation has no cost without it");
}

}  // namespace lapwing

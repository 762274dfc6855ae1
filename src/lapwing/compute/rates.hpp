#pragma once

#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace lapwing {

/// The rate of `kernel` in a list such as "add=4e9,copy=5e9". None where it is not in the list, or
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

/// What one core of the simulated cluster does in a second of `kernel`: bytes of "add", "copy" and
/// "bzip2", floating-point operations of "fft". The cluster's file says it, and the launcher passes
/// it on in the environment variable LAPWING_KERNELS. Throws `std::runtime_error` where it is
/// missing.
inline double simulated_rate(std::string_view kernel) {
    const char* list = std::getenv("LAPWING_KERNELS");
    if (const auto rate = find_rate(list != nullptr ? list : "", kernel)) return *rate;
    throw std::runtime_error("LAPWING_KERNELS names no rate for \"" + std::string(kernel) +
                             "\": simulated computation has no cost without it");
}

}  // namespace lapwing

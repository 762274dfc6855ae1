#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

#include "lapwing/fft/effort.hpp"
#include "lapwing/fft/options.hpp"

namespace lapwing::fft {

// How to transform, in the words of documents and command lines. All throw
// `std::invalid_argument` for a word that there is not.

/// The one of `all` with that name.
template <class All>
[[nodiscard]] auto named(const All& all, std::string_view word) {
    for (const auto one : all)
        if (word == name(one)) return one;
    throw std::invalid_argument("fft: there is no \"" + std::string(word) + "\"");
}

[[nodiscard]] inline Schedule schedule_named(std::string_view word) {
    return named(std::array{Schedule::exchange, Schedule::slabs, Schedule::pencils, Schedule::tiled,
                            Schedule::strips},
                 word);
}
[[nodiscard]] inline Transport transport_named(std::string_view word) {
    return named(std::array{Transport::collective, Transport::two_sided, Transport::rma}, word);
}
[[nodiscard]] inline Effort effort_named(std::string_view word) {
    if (word == "estimate") return Effort::estimate;
    if (word == "measure") return Effort::measure;
    if (word == "patient") return Effort::patient;
    throw std::invalid_argument("fft: there is no \"" + std::string(word) + "\"");
}

}  // namespace lapwing::fft

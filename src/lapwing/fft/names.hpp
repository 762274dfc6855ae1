#pragma once

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

#include "lapwing/fft/lines/effort.hpp"
#include "lapwing/fft/options.hpp"

namespace lapwing::fft {

// How to transform, in the words of documents and command lines. All throw
// `std::invalid_argument` for a word that there is not.

/// The one of `all` with that name. `what`: they are.
template <class All>
[[nodiscard]] auto named(std::string_view what, const All& all, std::string_view word) {
    for (const auto one : all)
        if (word == name(one)) return one;
    std::string known;
    for (const auto one : all) known += std::string(known.empty() ? "" : ", ") + name(one);
    throw std::invalid_argument("fft: unknown " + std::string(what) + " \"" + std::string(word) +
                                "\": there are " + known);
}

[[nodiscard]] inline Schedule schedule_named(std::string_view word) {
    constexpr std::array all = {Schedule::exchange, Schedule::slabs,  Schedule::pencils,
                                Schedule::tiled,    Schedule::strips, Schedule::tails};
    return named("schedule", all, word);
}
[[nodiscard]] inline Transport transport_named(std::string_view word) {
    constexpr std::array all = {Transport::collective, Transport::two_sided, Transport::rma};
    return named("transport", all, word);
}
[[nodiscard]] inline Order order_named(std::string_view word) {
    return named("order", std::array{Order::transposed, Order::natural}, word);
}
[[nodiscard]] inline Decomposition decomposition_named(std::string_view word) {
    constexpr std::array all = {Decomposition::planes, Decomposition::grid,
                                Decomposition::automatic};
    return named("decomposition", all, word);
}
[[nodiscard]] inline Packing packing_named(std::string_view word) {
    constexpr std::array all = {Packing::copy, Packing::derived, Packing::blocked};
    return named("packing", all, word);
}
[[nodiscard]] inline Effort effort_named(std::string_view word) {
    constexpr std::array all = {Effort::estimate, Effort::measure, Effort::patient};
    return named("effort", all, word);
}

}  // namespace lapwing::fft

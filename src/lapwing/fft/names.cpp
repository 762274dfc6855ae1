#include "lapwing/fft/names.hpp"

#include <array>
#include <stdexcept>
#include <string>

namespace lapwing::fft {
namespace {

/// The one of `all` with that name. `what`: what they are, for the error.
template <class All>
auto find_named(std::string_view what, const All& all, std::string_view word) {
    for (const auto one : all)
        if (word == name(one)) return one;
    std::string known;
    for (const auto one : all) known += std::string(known.empty() ? "" : ", ") + name(one);
    throw std::invalid_argument("fft: unknown " + std::string(what) + " \"" + std::string(word) +
                                "\": there are " + known);
}

}  // namespace

Schedule schedule_named(std::string_view name) {
    constexpr std::array all = {Schedule::exchange, Schedule::slabs,  Schedule::pencils,
                                Schedule::tiled,    Schedule::strips, Schedule::tails};
    return find_named("schedule", all, name);
}

Transport transport_named(std::string_view name) {
    constexpr std::array all = {Transport::collective, Transport::two_sided, Transport::rma,
                                Transport::ucx, Transport::shmem};
    return find_named("transport", all, name);
}

Order order_named(std::string_view name) {
    return find_named("order", std::array{Order::transposed, Order::natural}, name);
}

Decomposition decomposition_named(std::string_view name) {
    constexpr std::array all = {Decomposition::planes, Decomposition::grid,
                                Decomposition::automatic};
    return find_named("decomposition", all, name);
}

Packing packing_named(std::string_view name) {
    constexpr std::array all = {Packing::copy, Packing::derived, Packing::blocked};
    return find_named("packing", all, name);
}

Effort effort_named(std::string_view name) {
    constexpr std::array all = {Effort::estimate, Effort::measure, Effort::patient};
    return find_named("effort", all, name);
}

}  // namespace lapwing::fft

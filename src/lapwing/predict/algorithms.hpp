#pragma once

#include <cstdint>
#include <string_view>

#include "lapwing/model/collectives/rounds.hpp"
#include "lapwing/model/network.hpp"

namespace lapwing {

/// An algorithm of a collective as a closed form.
struct Algorithm {
    const char* operation;
    const char* name;
    double (*closed_form)(const model::Network& network, std::uint64_t ranks, std::uint64_t size,
                          double cutoff);
    /// Bytes of its largest message.
    std::uint64_t (*largest)(std::uint64_t ranks, std::uint64_t size);
    /// Bytes of the message that its ranks begin with, and wait for.
    std::uint64_t (*first)(std::uint64_t ranks, std::uint64_t size);
    /// How many messages there are, about.
    double (*messages)(std::uint64_t ranks, std::uint64_t size);

    /// Seconds for `size` bytes among `ranks`, as `simulate::CollectiveChoice` counts them. If that
    /// is more than `cutoff`, any number that is.
    [[nodiscard]] double seconds(const model::Network& network, std::uint64_t ranks,
                                 std::uint64_t size, double cutoff = model::any_time) const {
        return closed_form(network, ranks, size, cutoff);
    }
};

/// "send", whose one algorithm is "direct", or the closed form of one of
/// `simulate::collective_algorithms`; none if there is no such algorithm.
[[nodiscard]] const Algorithm* find_algorithm(std::string_view operation, std::string_view name);

}  // namespace lapwing

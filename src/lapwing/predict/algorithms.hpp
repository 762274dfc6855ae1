#pragma once

#include <cstdint>
#include <string_view>

#include "lapwing/model/collectives/rounds.hpp"
#include "lapwing/model/network.hpp"

namespace lapwing {

/// The closed form of one algorithm of a collective operation. `ranks` and `size` (bytes) are those
/// of `simulate::CollectiveChoice`.
struct Algorithm {
    const char* operation;
    const char* name;
    double (*closed_form)(const model::Network& network, std::uint64_t ranks, std::uint64_t size,
                          double cutoff);
    /// Bytes of the largest message.
    std::uint64_t (*largest)(std::uint64_t ranks, std::uint64_t size);
    /// Bytes of the first message, for which the ranks wait.
    std::uint64_t (*first)(std::uint64_t ranks, std::uint64_t size);
    /// Approximate number of messages.
    double (*messages)(std::uint64_t ranks, std::uint64_t size);

    /// Seconds that the operation takes. If these exceed `cutoff` (seconds), the result may be any
    /// other number above `cutoff`.
    [[nodiscard]] double seconds(const model::Network& network, std::uint64_t ranks,
                                 std::uint64_t size, double cutoff = model::any_time) const {
        return closed_form(network, ranks, size, cutoff);
    }
};

/// The closed form of `name`, one of `simulate::collective_algorithms(operation)`, or "direct" of
/// the operation "send". Null if there is no such algorithm.
[[nodiscard]] const Algorithm* find_algorithm(std::string_view operation, std::string_view name);

}  // namespace lapwing

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lapwing/record/recording.hpp"
#include "lapwing/replay/options.hpp"

namespace lapwing::replay {

/// The exchanges of one call site, all ranks together; of messages those of one size class.
struct ExchangeSite {
    std::uint32_t site = 0;
    /// None: messages.
    std::optional<record::Collective> collective{};
    std::uint32_t size_class = 0;  ///< of messages
    std::uint64_t ranks = 0;       ///< that have any
    std::uint64_t count = 0;
    // Nanoseconds.
    std::uint64_t in_calls = 0;  ///< in their calls
    std::uint64_t before = 0;    ///< of the computation right before them
    std::uint64_t after = 0;     ///< of that right after them
};

/// Those of a program, by their sites and size classes. Throws `record::BadRecord`.
[[nodiscard]] std::vector<ExchangeSite> exchange_sites(const record::Recording& recording,
                                                       const CallSites& sites);

}  // namespace lapwing::replay

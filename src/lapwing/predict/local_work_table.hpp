#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>

#include "lapwing/predict/algorithms.hpp"
#include "lapwing/predict/local_work.hpp"

namespace lapwing {

/// The local work of algorithms by size, for many predictions. At powers of two it is `local_work`;
/// between them it lies on straight lines. So it looks at a schedule once for each power of two,
/// not for each size.
class LocalWorkTable {
  public:
    /// Fastest if one number of ranks is asked for after the other. `ranks`, `size`: as of
    /// `simulate::CollectiveChoice`, at most 2^63 bytes.
    [[nodiscard]] LocalWork at(const Algorithm& algorithm, std::uint64_t ranks, std::uint64_t size);

  private:
    /// Of an algorithm among one number of ranks, by the logarithm of the size.
    struct Row {
        std::uint64_t ranks = 0;
        std::array<std::optional<LocalWork>, 64> works{};
    };

    std::map<const Algorithm*, Row> rows_;
};

}  // namespace lapwing

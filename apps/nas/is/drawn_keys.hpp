#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "problem.hpp"

namespace lapwing::nas::is {

/// Where keys lie that nobody has generated: in each bucket as many as a draw by chance brings. The
/// buckets are halved again and again, and each half gets the keys of its share, more or less as
/// many as the binomial distribution has them scatter. So a bucket is found in as many steps as
/// there are halvings, and always with the same keys.
class DrawnKeys {
  public:
    /// `keys`: how many there are; `draw`: the number of the draw, another for other keys.
    DrawnKeys(const Problem& problem, std::size_t keys, std::uint64_t draw)
        : problem_(problem), keys_(keys), draw_(draw) {}

    /// How many are in the first `buckets` buckets.
    [[nodiscard]] std::size_t below(std::size_t buckets) const;
    /// Writes `below(bucket)` for each bucket and for the one that would come next.
    void write(std::span<std::uint32_t> begins) const;

  private:
    /// Buckets that follow one another.
    struct Range {
        std::size_t first;
        std::size_t last;    ///< the one behind them
        double share_first;  ///< of all keys, those below `first`
        double share_last;
        std::size_t before;  ///< keys below `first`
        std::size_t keys;
    };
    struct Halves {
        Range lower;
        Range upper;
    };
    [[nodiscard]] Range all() const { return {0, problem_.buckets(), 0, 1, 0, keys_}; }
    [[nodiscard]] Halves halves(const Range& range) const;
    void write(const Range& range, std::span<std::uint32_t> begins) const;

    const Problem& problem_;
    std::size_t keys_;
    std::uint64_t draw_;
};

}  // namespace lapwing::nas::is

#pragma once

#include <cstdint>
#include <memory>

#include "lapwing/calibrate/ranks/rank_pair.hpp"

namespace lapwing {

/// How long a cache line takes from the core of one of two ranks to that of the other, if they
/// share memory. It tells how far the cores are apart, on which every message through memory
/// depends: in a virtual machine that changes while the ranks run.
class CacheLineLatency {
  public:
    /// Both ranks of `pair` construct one together.
    explicit CacheLineLatency(RankPair& pair);

    /// Seconds one way, the least of some tries. Both ranks call it; rank 0's result counts. 0 if
    /// not `known()`.
    double seconds(RankPair& pair);

    /// Whether there is anything to measure: the two ranks share memory and have a core each. The
    /// same on both ranks. Never in simulated time.
    [[nodiscard]] bool known() const { return line_ != nullptr; }

  private:
    struct Line;
    struct Unmap {
        void operator()(Line* line) const;
    };
    /// Maps the line in POSIX shared memory `number`; null if that is not possible.
    static std::unique_ptr<Line, Unmap> map(std::uint64_t number, bool create);
    void await(std::uint64_t turn);

    bool first_;
    std::unique_ptr<Line, Unmap> line_;
    std::uint64_t turn_ = 0;
};

}  // namespace lapwing

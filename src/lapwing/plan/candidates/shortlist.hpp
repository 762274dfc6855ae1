#pragma once

#include <limits>
#include <utility>
#include <vector>

#include "lapwing/plan/candidate.hpp"

namespace lapwing {

/// A candidate and what it takes, seconds; infinite where there is none of its kind.
struct Evaluated {
    Candidate candidate;
    double seconds = std::numeric_limits<double>::infinity();

    void take_if_faster(const Evaluated& other) {
        if (other.seconds < seconds) *this = other;
    }
};

/// The candidates of a workload, by a recurrence: the best of each kind, and of all. Messages that
/// advance in part only count as if they advanced.
struct Shortlist {
    Evaluated whole;    ///< one message with each peer
    Evaluated equal;    ///< equal messages
    Evaluated unequal;  ///< messages of unequal size
    Evaluated best;
};

/// As many equal messages as make up `volume` bytes, cut at `grain`, of the fewest bytes that give
/// `count` or fewer of them.
[[nodiscard]] inline Messages equal_messages(std::uint64_t volume, std::uint64_t grain,
                                             std::uint64_t count) {
    const std::uint64_t grains = (volume + grain - 1) / grain;
    return Messages::uniform(volume, (grains + count - 1) / count * grain, grain);
}

}  // namespace lapwing

#pragma once

#include <limits>

#include "lapwing/plan/candidate.hpp"

namespace lapwing {

/// A candidate and what it takes, seconds; infinite where there is none of its kind.
struct Evaluated {
    Candidate candidate;
    double seconds = std::numeric_limits<double>::infinity();

    /// Takes `other` if it is faster, and tells whether it was.
    bool take_if_faster(const Evaluated& other) {
        const bool faster = other.seconds < seconds;
        if (faster) *this = other;
        return faster;
    }
};

/// The best candidates of a workload, of each kind and of all, by a recurrence. Messages that
/// advance in part only count as if they advanced.
struct Shortlist {
    Evaluated whole;    ///< one message with each peer
    Evaluated equal;    ///< equal messages
    Evaluated unequal;  ///< messages of unequal size
    Evaluated best;
};

}  // namespace lapwing

#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "lapwing/model/stream.hpp"
#include "lapwing/plan/candidates/candidate_limits.hpp"
#include "lapwing/plan/evaluate/evaluator.hpp"

namespace lapwing {

/// A candidate and what it takes, seconds; infinite where there is none of its kind.
struct Evaluated {
    Candidate candidate;
    double seconds = std::numeric_limits<double>::infinity();

    /// Takes `other` if it is faster by the share `least_gain`, and tells whether it was.
    bool take_if_faster(const Evaluated& other, double least_gain = 0) {
        const bool faster = other.seconds < (1 - least_gain) * seconds;
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

/// The software pipeline of a stream: messages of geometric sizes. Each arrives when the one before
/// it is consumed (`model::chain_first`), none longer than `most` bytes, or a grain. Lists `whole`,
/// which is one message, and the fastest unequal ones, by their `seconds`.
[[nodiscard]] Shortlist chain_candidates(const model::Stream& x, const Messages& whole, double most,
                                         const std::function<double(const Messages&)>& seconds);

/// The candidates of a workload whose seconds have a closed form.
///
/// Of a one-way stream: those of the software pipeline, corrected for a sender that issues messages
/// one by one, and equal messages. Where straight lines do not tell, messages of measured sizes,
/// too. Where the best messages straddle the eager limit the engine chooses among wider windows for
/// them, and messages that are all eager.
///
/// Where the computation needs no message, one with each peer is best, unless only smaller ones
/// advance without calls, or the wire is faster at other measured sizes.
[[nodiscard]] Shortlist closed_form_candidates(const Evaluator& evaluator);

/// The candidates of a pattern of many ranks, and of a stream without a closed form, and where the
/// engine's search is to begin.
struct TwoWayCandidates {
    Shortlist list;  ///< by the recurrence of one rank, each at the window that suits it
    CandidateLimits limits;
    std::vector<Candidate> starts;  ///< for the engine, in this order: the first is `list.whole`
};

/// Equal messages of many sizes (of measured ones where exposed times were measured), those of the
/// software pipeline, and ramps where computation is on both sides.
[[nodiscard]] TwoWayCandidates two_way_candidates(const Evaluator& evaluator);

/// Seconds that `best` would take less, by the recurrence of one rank, if the interface's queue
/// were deeper.
[[nodiscard]] double lost_to_queue(const Evaluator& evaluator, const CandidateLimits& limits,
                                   const Evaluated& best);

}  // namespace lapwing

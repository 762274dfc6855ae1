#pragma once

#include <cstddef>
#include <cstdint>

namespace lapwing {

/// Every number of the planner's search, with its reason. Shares are of the time of a run.
struct SearchOptions {
    // What is worth having.
    double least_gain = 1e-3;          ///< of another candidate: less is not measurable
    double least_window_gain = 2e-4;   ///< of a wider window, by the recurrence of one rank: wider
                                       ///< ones take memory alone, so less is enough
    double gain_per_message = 1e-6;    ///< of each message more, up to `least_gain`: each is a risk
    double floating_point_tie = 1e-6;  ///< nearer than rounding errors tell
    double exact = 0.01;               ///< relative error of inputs that count as exact
    double one_sided_doubt = 0.02;  ///< a sum of parts that were measured apart is off by as much
    double reduced_doubt = 0.02;    ///< and so is a run at reduced size

    // The recurrences.
    std::uint64_t most_recurrence_messages = 8192;    ///< of a rank, but one to each peer always is
    std::uint64_t most_equal = 65536;                 ///< equal messages of a stream
    std::uint64_t most_equal_one_by_one = 128;        ///< beyond as many, steps of a sixteenth
    int most_chain_variants = 64;                     ///< a longer chain is tried as it is
    std::uint64_t most_equal_two_way_one_by_one = 8;  ///< beyond as many, steps of a half
    double hopeless = 1.1;  ///< times the best: beyond as slow, more messages only add
    std::uint64_t least_before_hopeless = 16;  ///< messages until that is sure
    std::size_t most_measured_sizes = 12;      ///< the largest; smaller ones only add overhead
    int max_window = 64;                       ///< messages: as many keep any wire busy

    // The engine. Costs are messages of all ranks on links that nobody shares (`Engine::cost`):
    // about 0.2 us each.
    double budget = 30000;          ///< for all candidates of a plan
    double most_judged = 1e5;       ///< for one, where plans are compared after planning
    double most_of_budget = 0.25;   ///< for one candidate that a neighbour led to
    double quick_share = 0.01;      ///< for one of the many that are tried on the chance
    double candidates_needed = 64;  ///< if the budget is not enough for as many, a reduced size is
                                    ///< searched first
    std::size_t first_candidates = 4;    ///< show what others will cost
    std::size_t best_of_reduced = 6;     ///< of those at reduced size are simulated at full size
    std::uint64_t reduced_messages = 8;  ///< the number that costs are estimated for
    std::uint64_t most_short_last = 16;  ///< of more messages the last hardly counts
    std::uint64_t most_equal_tried = 8;  ///< equal messages that are tried one by one
};

inline constexpr SearchOptions search_options;

}  // namespace lapwing

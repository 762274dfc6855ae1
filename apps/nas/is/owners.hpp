#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace lapwing::nas::is {

/// Which rank gets which buckets: rank r those from `[r]` to before `[r + 1]`. As in the benchmark,
/// a rank's buckets end where it and the ranks before it have at least their share of all keys.
/// `totals`: keys of each bucket on all ranks.
[[nodiscard]] inline std::vector<std::size_t> first_buckets(std::span<const double> totals,
                                                            std::size_t ranks) {
    double keys = 0;
    for (const double total : totals) keys += total;
    std::vector<std::size_t> first{0};
    double sum = 0;
    for (std::size_t bucket = 0; bucket < totals.size(); ++bucket) {
        sum += totals[bucket];
        if (sum * static_cast<double>(ranks) >= static_cast<double>(first.size()) * keys)
            first.push_back(bucket + 1);
    }
    first.resize(ranks + 1, totals.size());
    return first;
}

}  // namespace lapwing::nas::is

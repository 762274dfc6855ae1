#include "lapwing/fft/simulated/shortlist.hpp"

#include <algorithm>

#include "lapwing/fft/simulated/search_settings.hpp"

namespace lapwing::fft {

void FastestWay::offer(const Options& options) {
    if (evaluator_.operations(options) > max_operations_each) return;
    double limit = ForecastEvaluator::no_limit;
    if (best_) limit = (1 - least_gain) * best_->seconds;
    if (const auto found = evaluator_.estimate(options, limit)) best_ = found;
}

bool Shortlist::is_contender(double seconds) const {
    return std::all_of(ways_.begin(), ways_.end(), [&](const Forecast& other) {
        return seconds < prune_factor * other.seconds;
    });
}

std::vector<Forecast> Shortlist::sorted() {
    sort();
    const double ranks = evaluator_.problem().ranks;
    double budget = max_shared_operations;
    for (Forecast& way : ways_) {
        if (evaluator_.estimates_exactly(way.options)) continue;
        const double work = evaluator_.operations(way.options) * ranks * ranks;
        const bool first = &way == ways_.data();
        const bool pruned = compared_(way) > prune_factor * compared_(ways_.front());
        if (!first && (work > budget || pruned)) continue;
        budget -= work;
        way = *evaluator_.evaluate(way.options);
    }
    sort();
    return ways_;
}

void Shortlist::sort() {
    std::stable_sort(ways_.begin(), ways_.end(), [&](const Forecast& a, const Forecast& b) {
        return compared_(a) < compared_(b);
    });
}

}  // namespace lapwing::fft

#include "lapwing/calibrate/sampling/series.hpp"

#include <algorithm>
#include <utility>

namespace lapwing {
namespace {

constexpr std::size_t few = 3;  // visits that say something

}  // namespace

void Series::close(const Environment& here) {
    if (visit_.empty()) return;
    if (clock_ != nullptr)
        for (double& sample : visit_) sample /= clock_->present();
    std::vector<double> sorted = visit_;
    visits_.push_back({here, lapwing::median(sorted), std::move(visit_)});
    visit_.clear();
    best_ = best_of(best_, here);
}

Estimate Series::estimate() const {
    Estimate result = lapwing::estimate(samples());
    result.median *= unit();
    result.error = error();
    return result;
}

double Series::lower_quartile() const {
    std::vector<double> all = samples();
    if (all.empty()) return 0;
    const auto quarter = static_cast<std::ptrdiff_t>((all.size() - 1) / 4);
    std::nth_element(all.begin(), all.begin() + quarter, all.end());
    return all[static_cast<std::size_t>(quarter)] * unit();
}

double Series::error() const {
    std::vector<double> medians;
    for (const Visit& visit : visits_)
        if (comparable(visit.here, best_)) medians.push_back(visit.median);
    if (medians.size() < std::min(few, visits_.size())) return 1;
    return lapwing::estimate(medians).error;
}

Environment Series::environment() const {
    std::vector<Environment> all;
    for (const Visit* const visit : counting()) all.push_back(visit->here);
    return quantile(all, 0.5);
}

bool Series::has_comparable(const Environment& best) const {
    const auto count = std::count_if(visits_.begin(), visits_.end(), [&](const Visit& visit) {
        return comparable(visit.here, best);
    });
    return visits_.empty() || static_cast<std::size_t>(count) >= few;
}

std::vector<const Series::Visit*> Series::counting() const {
    std::vector<Environment> all;
    for (const Visit& visit : visits_) all.push_back(visit.here);
    const std::vector<bool> counts = near_best(all, few);
    std::vector<const Visit*> result;
    for (std::size_t i = 0; i < visits_.size(); ++i)
        if (counts[i]) result.push_back(&visits_[i]);
    return result;
}

std::vector<double> Series::samples() const {
    std::vector<double> all;
    for (const Visit* const visit : counting())
        all.insert(all.end(), visit->samples.begin(), visit->samples.end());
    return all;
}

std::vector<double> medians(const std::vector<Series>& series) {
    std::vector<double> result;
    result.reserve(series.size());
    for (const auto& one : series) result.push_back(one.median());
    return result;
}

}  // namespace lapwing

#include "lapwing/calibrate/sampling/campaign.hpp"

#include <algorithm>
#include <utility>

#include "lapwing/compute/charge.hpp"

namespace lapwing {

void Campaign::add(std::string what, std::vector<Series*> series, std::function<void()> visit) {
    items_.push_back({std::move(what), std::move(series), std::move(visit)});
}

void Campaign::run() {
    RankPair& pair = sampling_.pair;
    EnvironmentMonitor& environment = sampling_.environment;
    start_ = pair.now();
    for (int round = 0; remaining(); ++round) {
        const Environment best = environment.best();
        for (auto& item : items_)
            if (!item.done) visit_in_turn(item, round);
        // If the environment has become better, what was done before is measured again.
        const bool better = !comparable(best, environment.best());
        if (round > 0 && pair.from_first(better ? 1 : 0) != 0)
            for (auto& item : items_) item.done = false;
    }
    environment.spend_wait(waited_);
    if (pair.first()) count_noise();
}

/// Visits a quantity once more, unless it is done.
void Campaign::visit_in_turn(Item& item, int round) {
    RankPair& pair = sampling_.pair;
    const double seconds = sampling_.goal.budget;
    const double wait_budget = sampling_.environment.wait_budget();
    const int least = simulated_time ? 2 : sampling_.goal.least;
    const double spent = pair.now() - start_;
    // On a machine that is too busy to be measured even the least takes too long.
    const bool far_too_long = round > 0 && spent > 2 * seconds + wait_budget;
    const bool enough = round >= least && (spent > seconds || known(item));
    const bool waits = enough && !in_best_environment(item) && spent < seconds + wait_budget;
    if (waits) waited_ = std::max(0.0, spent - seconds);
    const bool done = pair.first() && (far_too_long || (enough && !waits));
    item.done = pair.from_first(done ? 1 : 0) != 0;
    if (item.done) return;
    report(item.what, spent);
    visit(item, waits);
}

/// `waiting`: only a visit in the best environment counts.
void Campaign::visit(Item& item, bool waiting) {
    RankPair& pair = sampling_.pair;
    EnvironmentMonitor& environment = sampling_.environment;
    pair.yield_core();
    const Environment before = environment.read();
    // A visit takes longer than to see that it would not count.
    const bool vain =
        pair.first() && waiting && !comparable(before, best_of(before, environment.best()));
    if (pair.from_first(vain ? 1 : 0) != 0) return;
    environment.clock().begin();
    item.visit();
    const Environment here = worst_of(before, environment.read());
    environment.clock().end();
    environment.measured(here);
    for (Series* const series : item.series) series->close(here);
}

bool Campaign::remaining() const {
    return std::any_of(items_.begin(), items_.end(), [](const Item& item) { return !item.done; });
}

bool Campaign::known(const Item& item) const {
    return std::all_of(item.series.begin(), item.series.end(), [&](const Series* series) {
        return series->error() <= sampling_.goal.accuracy;
    });
}

/// Whether all series of it have enough visits in the best environment of the calibration.
bool Campaign::in_best_environment(const Item& item) const {
    const Environment& best = sampling_.environment.best();
    return std::all_of(item.series.begin(), item.series.end(),
                       [&](const Series* series) { return series->has_comparable(best); });
}

void Campaign::report(const std::string& what, double spent) {
    const auto done = static_cast<double>(
        std::count_if(items_.begin(), items_.end(), [](const Item& item) { return item.done; }));
    const double share =
        std::max(spent / sampling_.goal.budget, done / static_cast<double>(items_.size()));
    // Measuring again takes nothing back of what was reported.
    reported_ = std::max(reported_, std::min(share, 1.0));
    sampling_.report(reported_, what);
}

void Campaign::count_noise() {
    for (const auto& item : items_)
        for (const Series* const series : item.series) {
            sampling_.noise.note(series->estimate(), sampling_.goal.accuracy);
            sampling_.environment.counted(series->environment());
        }
}

}  // namespace lapwing

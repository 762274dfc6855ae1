#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/calibrate/environment/clock_speed.hpp"
#include "lapwing/calibrate/environment/state_monitor.hpp"
#include "lapwing/calibrate/ranks/rank_pair.hpp"
#include "lapwing/calibrate/sampling/sampler.hpp"
#include "lapwing/calibrate/sampling/status.hpp"
#include "lapwing/calibrate/statistics/estimate.hpp"
#include "lapwing/profile/surroundings.hpp"

namespace lapwing {

/// The samples of one quantity, visit by visit.
class Series {
  public:
    /// Of time that passes whatever the processor does.
    Series() = default;
    /// Of time the processor works, which is given at the fastest pace it has shown.
    explicit Series(const ClockSpeed& pace) : pace_(&pace) {}

    void add(double sample) { visit_.push_back(sample); }

    /// Ends a visit: its samples join the others. What counts are the visits in about the best
    /// surroundings.
    void close(const Surroundings& here = {}) {
        if (visit_.empty()) return;
        if (pace_ != nullptr)
            for (double& sample : visit_) sample /= pace_->present();
        std::vector<double> sorted = visit_;
        visits_.push_back({here, lapwing::median(sorted), std::move(visit_)});
        visit_.clear();
        best_ = visits_.size() == 1 ? here : best_.best(here);
    }
    /// Median of all samples, with the error of the visits' medians.
    [[nodiscard]] Estimate estimate() const {
        Estimate result = lapwing::estimate(samples());
        result.median *= unit();
        result.error = error();
        return result;
    }
    /// A quarter of the samples are below.
    [[nodiscard]] double lower_quartile() const {
        std::vector<double> all = samples();
        if (all.empty()) return 0;
        const auto quarter = static_cast<std::ptrdiff_t>((all.size() - 1) / 4);
        std::nth_element(all.begin(), all.begin() + quarter, all.end());
        return all[static_cast<std::size_t>(quarter)] * unit();
    }
    /// Of the visits' medians: samples of one visit share the machine's mood, and many of them say
    /// no more about it than a few. Of two that are left because the processors moved nobody knows.
    [[nodiscard]] double error() const {
        std::vector<double> medians;
        for (const Visit& visit : visits_)
            if (visit.here.reach(best_)) medians.push_back(visit.median);
        if (medians.size() < std::min(few, visits_.size())) return 1;
        return lapwing::estimate(medians).error;
    }
    [[nodiscard]] double median() const { return estimate().median; }
    /// The median of the surroundings of the visits that count, each by itself.
    [[nodiscard]] Surroundings surroundings() const {
        std::vector<Surroundings> all;
        const double most = enough();
        for (const Visit& visit : visits_)
            if (visit.here.behind(best_) <= most) all.push_back(visit.here);
        return quantile(all, 0.5);
    }
    /// Whether enough visits were made in surroundings about as good as `best`, or none at all.
    [[nodiscard]] bool reaches(const Surroundings& best) const {
        const auto good = std::count_if(visits_.begin(), visits_.end(),
                                        [&](const Visit& visit) { return visit.here.reach(best); });
        return visits_.empty() || static_cast<std::size_t>(good) >= few;
    }

  private:
    static constexpr std::size_t few = 3;  ///< visits that say something

    [[nodiscard]] double unit() const { return pace_ != nullptr ? pace_->fastest() : 1; }

    struct Visit {
        Surroundings here;
        double median = 0;
        std::vector<double> samples;
    };
    /// How far behind the best a visit may be that counts. What was best need not have come
    /// together, nor often: there are always some that count.
    [[nodiscard]] double enough() const {
        std::vector<double> behind;
        for (const Visit& visit : visits_) behind.push_back(visit.here.behind(best_));
        std::sort(behind.begin(), behind.end());
        return behind.size() < few ? std::numeric_limits<double>::infinity()
                                   : std::max(1.0, behind[few - 1]);
    }
    [[nodiscard]] std::vector<double> samples() const {
        std::vector<double> all;
        const double most = enough();
        for (const Visit& visit : visits_)
            if (visit.here.behind(best_) <= most)
                all.insert(all.end(), visit.samples.begin(), visit.samples.end());
        return all;
    }

    const ClockSpeed* pace_ = nullptr;
    std::vector<double> visit_;
    std::vector<Visit> visits_;
    Surroundings best_;
};

/// How often to sample, in a visit of about `visit` seconds, what takes `seconds`: from once to
/// `most` times.
inline int repetitions(double seconds, [[maybe_unused]] double visit, [[maybe_unused]] int most) {
    if constexpr (simulated_time) {
        return 1;
    } else {
        const double times = visit / std::max(seconds, 1e-9);
        return static_cast<int>(std::clamp(times, 1.0, static_cast<double>(most)));
    }
}

/// Measures many quantities in turn, round after round, until each is known well enough or the time
/// is over. A slow spell of the machine then meets all of them a little instead of one of them
/// altogether, and what is left of it the median drops.
template <Transport T>
class Campaign {
  public:
    /// `seconds` for all rounds; `goal.accuracy` is what each series has to reach, `goal.least` the
    /// rounds to make in any case, for the error to mean something.
    Campaign(TransportPair<T>& pair, const SamplingGoal& goal, double seconds, NoiseCounts& noise,
             StatusCallback report = {})
        : pair_(pair), goal_(goal), seconds_(seconds), noise_(noise), report_(std::move(report)) {}

    /// A quantity, named for people. `visit()` is called by both ranks, again and again; on rank 0
    /// it adds samples to `series`.
    void add(std::string what, std::vector<Series*> series, std::function<void()> visit) {
        items_.push_back({std::move(what), std::move(series), std::move(visit), false});
    }

    void run() {
        const double start = pair_.transport().now();
        const int least = simulated_time ? 2 : goal_.least;
        StateMonitor& processors = pair_.state_monitor();
        double waited = 0;
        for (int round = 0; remaining(); ++round) {
            const Surroundings best = processors.best();
            for (auto& item : items_) {
                if (item.done) continue;
                const double spent = pair_.transport().now() - start;
                // On a machine that is too busy to be measured even the least takes too long.
                const bool far_too_long = round > 0 && spent > 2 * seconds_ + processors.patience();
                const bool enough = round >= least && (spent > seconds_ || known(item));
                const bool waits =
                    enough && !well_surrounded(item) && spent < seconds_ + processors.patience();
                if (waits) waited = spent - seconds_;
                const bool done = pair_.first() && (far_too_long || (enough && !waits));
                item.done = pair_.from_first(done ? 1 : 0) != 0;
                if (item.done) continue;
                report(item.what, spent);
                pair_.yield_core();
                const Surroundings before = processors.surroundings(pair_);
                // A visit takes longer than to see that it would not count.
                const bool vain = pair_.first() && waits && !before.reach(processors.best());
                if (pair_.from_first(vain ? 1 : 0) != 0) continue;
                pair_.clock_speed().begin();
                item.visit();
                const Surroundings here = before.worst(processors.surroundings(pair_));
                pair_.clock_speed().end();
                processors.measured(here);
                for (Series* const series : item.series) series->close(here);
            }
            // What was done before the surroundings became better is done again.
            const bool better = !best.reach(processors.best());
            if (round > 0 && pair_.from_first(better ? 1 : 0) != 0)
                for (auto& item : items_) item.done = false;
        }
        processors.waited(std::max(0.0, waited));
        if (pair_.first()) account();
    }

  private:
    struct Item {
        std::string what;
        std::vector<Series*> series;
        std::function<void()> visit;
        bool done;
    };
    [[nodiscard]] bool remaining() const {
        return std::any_of(items_.begin(), items_.end(),
                           [](const Item& item) { return !item.done; });
    }
    [[nodiscard]] bool known(const Item& item) const {
        return std::all_of(item.series.begin(), item.series.end(),
                           [&](const Series* series) { return series->error() <= goal_.accuracy; });
    }
    /// Whether all of it was measured in surroundings as good as anything was, often enough.
    [[nodiscard]] bool well_surrounded(const Item& item) const {
        const Surroundings best = pair_.state_monitor().best();
        return std::all_of(item.series.begin(), item.series.end(),
                           [&](const Series* series) { return series->reaches(best); });
    }
    void report(const std::string& what, double spent) {
        if (!pair_.first() || !report_) return;
        const auto done = static_cast<double>(std::count_if(
            items_.begin(), items_.end(), [](const Item& item) { return item.done; }));
        const double share = std::max(spent / seconds_, done / static_cast<double>(items_.size()));
        // What is done again was done once.
        reported_ = std::max(reported_, std::min(share, 1.0));
        report_(reported_, what);
    }
    void account() {
        for (const auto& item : items_)
            for (const Series* const series : item.series) {
                noise_.note(series->estimate(), goal_.accuracy);
                pair_.state_monitor().counted(series->surroundings());
            }
    }

    TransportPair<T>& pair_;
    SamplingGoal goal_;
    double seconds_;
    NoiseCounts& noise_;
    StatusCallback report_;
    double reported_ = 0;  ///< share, the largest
    std::vector<Item> items_;
};

}  // namespace lapwing

#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/calibrate/core_to_core.hpp"
#include "lapwing/calibrate/estimate.hpp"
#include "lapwing/calibrate/pace.hpp"
#include "lapwing/calibrate/pair.hpp"
#include "lapwing/calibrate/report.hpp"
#include "lapwing/calibrate/sampler.hpp"
#include "lapwing/profile/as_near.hpp"

namespace lapwing {

/// The samples of one quantity, visit by visit.
class Series {
  public:
    /// Of time that passes whatever the processor does.
    Series() = default;
    /// Of time the processor works, which is given at the fastest pace it has shown.
    explicit Series(const Pace& pace) : pace_(&pace) {}

    void add(double sample) { visit_.push_back(sample); }

    /// Ends a visit: its samples join the others. Meanwhile a cache line took `apart` seconds from
    /// one rank's processor to the other's (see `CoreToCore`), and what counts are the visits in
    /// which it took about the least.
    void close(double apart = 0) {
        if (visit_.empty()) return;
        if (pace_ != nullptr)
            for (double& sample : visit_) sample /= pace_->present();
        std::vector<double> sorted = visit_;
        visits_.push_back({apart, lapwing::median(sorted), std::move(visit_)});
        visit_.clear();
        nearest_ = std::min(nearest_, apart);
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
            if (counts(visit)) medians.push_back(visit.median);
        if (medians.size() < std::min(few, visits_.size())) return 1;
        return lapwing::estimate(medians).error;
    }
    [[nodiscard]] double median() const { return estimate().median; }
    /// Whether enough visits were made where a line took up to `apart` seconds, or none at all.
    [[nodiscard]] bool within(double apart) const {
        const auto near = std::count_if(visits_.begin(), visits_.end(),
                                        [&](const Visit& visit) { return visit.apart <= apart; });
        return visits_.empty() || static_cast<std::size_t>(near) >= few;
    }

  private:
    static constexpr std::size_t few = 3;  ///< visits that say something

    [[nodiscard]] double unit() const { return pace_ != nullptr ? pace_->fastest() : 1; }

    struct Visit {
        double apart = 0;  ///< seconds
        double median = 0;
        std::vector<double> samples;
    };
    [[nodiscard]] bool counts(const Visit& visit) const {
        return visit.apart <= as_near * nearest_;
    }
    [[nodiscard]] std::vector<double> samples() const {
        std::vector<double> all;
        for (const Visit& visit : visits_)
            if (counts(visit)) all.insert(all.end(), visit.samples.begin(), visit.samples.end());
        return all;
    }

    const Pace* pace_ = nullptr;
    std::vector<double> visit_;
    std::vector<Visit> visits_;
    double nearest_ = std::numeric_limits<double>::infinity();
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
    Campaign(Pair<T>& pair, const Goal& goal, double seconds, Disturbance& disturbance,
             ProgressReport report = {})
        : pair_(pair),
          goal_(goal),
          seconds_(seconds),
          disturbance_(disturbance),
          report_(std::move(report)) {}

    /// A quantity, named for people. `visit()` is called by both ranks, again and again; on rank 0
    /// it adds samples to `series`.
    void add(std::string what, std::vector<Series*> series, std::function<void()> visit) {
        items_.push_back({std::move(what), std::move(series), std::move(visit), false});
    }

    void run() {
        const double start = pair_.transport().now();
        const int least = simulated_time ? 2 : goal_.least;
        CoreToCore& cores = pair_.core_to_core();
        double waited = 0;
        for (int round = 0; remaining(); ++round) {
            const double nearest = cores.nearest();
            for (auto& item : items_) {
                if (item.done) continue;
                const double spent = pair_.transport().now() - start;
                // On a machine that is too busy to be measured even the least takes too long.
                const bool far_too_long = round > 0 && spent > 2 * seconds_ + cores.patience();
                const bool enough = round >= least && (spent > seconds_ || known(item));
                const bool waits = enough && !near(item) && spent < seconds_ + cores.patience();
                if (waits) waited = spent - seconds_;
                const bool done = pair_.first() && (far_too_long || (enough && !waits));
                item.done = pair_.share(done ? 1 : 0) != 0;
                if (item.done) continue;
                report(item.what, spent);
                pair_.breathe();
                pair_.pace().begin();
                const double before = cores.seconds(pair_);
                item.visit();
                const double apart = std::max(before, cores.seconds(pair_));
                pair_.pace().end();
                cores.measured(apart);
                for (Series* const series : item.series) series->close(apart);
            }
            // What was done before the processors came nearer is done again.
            const bool nearer = as_near * cores.nearest() < nearest;
            if (round > 0 && pair_.share(nearer ? 1 : 0) != 0)
                for (auto& item : items_) item.done = false;
        }
        cores.waited(std::max(0.0, waited));
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
    /// Whether all of it was measured as near as anything was, often enough.
    [[nodiscard]] bool near(const Item& item) const {
        const double limit = as_near * pair_.core_to_core().nearest();
        return std::all_of(item.series.begin(), item.series.end(),
                           [&](const Series* series) { return series->within(limit); });
    }
    void report(const std::string& what, double spent) {
        if (!pair_.first() || !report_) return;
        const auto done = static_cast<double>(std::count_if(
            items_.begin(), items_.end(), [](const Item& item) { return item.done; }));
        const double share = std::max(spent / seconds_, done / static_cast<double>(items_.size()));
        report_(std::min(share, 1.0), what);
    }
    void account() {
        for (const auto& item : items_)
            for (const Series* const series : item.series)
                disturbance_.note(series->estimate(), goal_.accuracy);
    }

    Pair<T>& pair_;
    Goal goal_;
    double seconds_;
    Disturbance& disturbance_;
    ProgressReport report_;
    std::vector<Item> items_;
};

}  // namespace lapwing

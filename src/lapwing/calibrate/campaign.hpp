#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "lapwing/calibrate/estimate.hpp"
#include "lapwing/calibrate/pace.hpp"
#include "lapwing/calibrate/pair.hpp"
#include "lapwing/calibrate/report.hpp"
#include "lapwing/calibrate/sampler.hpp"

namespace lapwing {

/// The samples of one quantity, visit by visit.
class Series {
  public:
    /// Of time that passes whatever the processor does.
    Series() = default;
    /// Of time the processor works, which is given at the fastest pace it has shown.
    explicit Series(const Pace& pace) : pace_(&pace) {}

    void add(double sample) { visit_.push_back(sample); }

    /// Ends a visit: its samples join the others.
    void close() {
        if (visit_.empty()) return;
        if (pace_ != nullptr)
            for (double& sample : visit_) sample /= pace_->present();
        all_.insert(all_.end(), visit_.begin(), visit_.end());
        visits_.push_back(lapwing::median(visit_));
        visit_.clear();
    }
    /// Median of all samples, with the error of the visits' medians.
    [[nodiscard]] Estimate estimate() const {
        Estimate result = lapwing::estimate(all_);
        result.median *= unit();
        result.error = error();
        return result;
    }
    /// A quarter of the samples are below.
    [[nodiscard]] double lower_quartile() const {
        if (all_.empty()) return 0;
        std::vector<double> samples = all_;
        const auto quarter = static_cast<std::ptrdiff_t>((samples.size() - 1) / 4);
        std::nth_element(samples.begin(), samples.begin() + quarter, samples.end());
        return samples[static_cast<std::size_t>(quarter)] * unit();
    }
    /// Of the visits' medians: samples of one visit share the machine's mood, and many of them say
    /// no more about it than a few.
    [[nodiscard]] double error() const { return lapwing::estimate(visits_).error; }
    [[nodiscard]] double median() const { return estimate().median; }

  private:
    [[nodiscard]] double unit() const { return pace_ != nullptr ? pace_->fastest() : 1; }

    const Pace* pace_ = nullptr;
    std::vector<double> visit_;
    std::vector<double> all_;
    std::vector<double> visits_;
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
        for (int round = 0; remaining(); ++round) {
            for (auto& item : items_) {
                if (item.done) continue;
                const double spent = pair_.transport().now() - start;
                // On a machine that is too busy to be measured even the least takes too long.
                const bool far_too_long = round > 0 && spent > 2 * seconds_;
                const bool done =
                    pair_.first() &&
                    (far_too_long || (round >= least && (spent > seconds_ || known(item))));
                item.done = pair_.share(done ? 1 : 0) != 0;
                if (item.done) continue;
                report(item.what, spent);
                pair_.breathe();
                pair_.pace().begin();
                item.visit();
                pair_.pace().end();
                for (Series* const series : item.series) series->close();
            }
        }
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

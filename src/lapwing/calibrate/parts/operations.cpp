#include "lapwing/calibrate/parts/operations.hpp"

#include <algorithm>
#include <memory>

#include "lapwing/calibrate/sampling/campaign.hpp"
#include "lapwing/calibrate/sampling/series.hpp"
#include "lapwing/compute/charge.hpp"

namespace lapwing {
namespace {

double of(std::uint64_t count) { return static_cast<double>(count); }

/// Trains of one kind, and what they took.
struct TrainKind {
    std::uint64_t size;   ///< bytes of an operation
    std::uint64_t count;  ///< operations of a train
    int times;            ///< trains in one visit, without the first, which does not count
    const Chain* work;    ///< done after each operation, or null
    std::uint64_t more;   ///< times the work is done after the last operation as well
    Series initiation;
    Series total;  ///< until all data had arrived, less the work, timed alone just before
};

/// What was measured of one size: places in the list of kinds.
struct TrainKindsOfSize {
    std::vector<std::size_t> bursts;  ///< of the options, those that are not too long
    std::size_t one;
    std::size_t flood;
    std::size_t part;  ///< of the flood
    std::size_t one_working;
    std::size_t train_working;
};

/// Trains of several kinds are run in turn, in the steady rhythm of a program that communicates:
/// after a pause a train takes up to four times as long. Floods are told by their lower quartile:
/// on a link that is shaped, or has credits, they take one of two times.
class OperationMeasurement {
  public:
    OperationMeasurement(const Sampling& sampling, const OperationOptions& options,
                         const TrainRunner& trains)
        : sampling_(sampling), pair_(sampling.pair), options_(options), trains_(trains) {}

    void run(Profile& profile);

  private:
    bool prepare(std::uint64_t size);
    void prepare_floods(TrainKindsOfSize& row, std::uint64_t size);
    void prepare_working(TrainKindsOfSize& row, std::uint64_t size);
    std::size_t kind(std::uint64_t size, std::uint64_t count, const Chain* work = nullptr,
                     std::uint64_t more = 0);
    double look(std::uint64_t size, double expected);
    void visit(TrainKind& kind);
    void fill(const TrainKindsOfSize& row, OperationCosts& costs, const std::string& place,
              std::vector<std::string>& interpolated) const;
    [[nodiscard]] double each(std::size_t part, std::size_t train) const;
    [[nodiscard]] double most_in_a_train() const { return options_.longest / gap_; }

    const Sampling& sampling_;
    RankPair& pair_;
    const OperationOptions& options_;
    const TrainRunner& trains_;
    double gap_ = 0;      ///< seconds between two operations of a flood, about
    double latency_ = 0;  ///< seconds of a single operation, about
    std::vector<std::unique_ptr<Chain>> works_;
    std::vector<TrainKind> kinds_;
    std::vector<TrainKindsOfSize> rows_;
};

void OperationMeasurement::run(Profile& profile) {
    for (const std::uint64_t size : options_.sizes)
        if (!prepare(size)) break;
    Campaign campaign(sampling_);
    const std::string what = trains_.transport + " " + trains_.name;
    for (TrainKind& each : kinds_)
        campaign.add(what, {&each.initiation, &each.total}, [this, &each] { visit(each); });
    campaign.run();
    OperationCosts costs;
    costs.name = trains_.name;
    costs.transport = trains_.transport;
    costs.bursts = options_.bursts;
    const std::string place = "operations[" + std::to_string(profile.operations.size()) + "]";
    for (const TrainKindsOfSize& row : rows_) fill(row, costs, place, profile.interpolated);
    profile.operations.push_back(std::move(costs));
}

/// Decides how operations of `size` bytes are measured. False if that would take too long.
bool OperationMeasurement::prepare(std::uint64_t size) {
    const double expected = kinds_.empty() ? 0 : gap_ * of(size) / of(kinds_.back().size);
    if (expected > options_.longest) return false;
    latency_ = look(size, expected);
    TrainKindsOfSize row;
    for (const int burst : options_.bursts) {
        if (!row.bursts.empty() && burst > most_in_a_train()) break;
        row.bursts.push_back(kind(size, static_cast<std::uint64_t>(burst)));
    }
    row.one = kind(size, 1);
    prepare_floods(row, size);
    prepare_working(row, size);
    rows_.push_back(row);
    return true;
}

/// A flood must be long enough for its first operation to arrive before its last one leaves: only
/// then does it show what the processor spends on both ends of an operation.
void OperationMeasurement::prepare_floods(TrainKindsOfSize& row, std::uint64_t size) {
    constexpr double filled = 16;     // times the latency
    constexpr double deepest = 1024;  // operations
    const double enough = std::max(filled * latency_ / gap_, of(kinds_[row.bursts.back()].count));
    const auto flood = static_cast<std::uint64_t>(
        std::clamp(std::min(enough, deepest), 2.0, std::max(2.0, most_in_a_train())));
    row.flood = kind(size, flood);
    row.part = kind(size, std::max<std::uint64_t>(1, flood / 4));
}

/// A computation must outlast an operation, or it does not show what it cannot hide. It goes on
/// until the last operation has arrived: waiting is no overhead.
void OperationMeasurement::prepare_working(TrainKindsOfSize& row, std::uint64_t size) {
    constexpr double longer = 1.5;  // times the gap
    constexpr double most_working = 64;
    const Chain* const work =
        works_.emplace_back(std::make_unique<Chain>(Chain::lasting(longer * gap_))).get();
    const auto more = static_cast<std::uint64_t>(latency_ / (longer * gap_));
    const double deep = std::clamp(most_in_a_train() / longer, 2.0, most_working);
    row.one_working = kind(size, 1, work, more);
    row.train_working = kind(size, static_cast<std::uint64_t>(deep), work, more);
}

/// The place of such trains in the list, to which they are added if they are not there yet.
std::size_t OperationMeasurement::kind(std::uint64_t size, std::uint64_t count, const Chain* work,
                                       std::uint64_t more) {
    for (std::size_t i = 0; i < kinds_.size(); ++i)
        if (kinds_[i].size == size && kinds_[i].count == count && kinds_[i].work == work) return i;
    constexpr double visit_seconds = 2e-3;
    constexpr int most = 16;
    const double works = work == nullptr ? 1 : 4;
    const double train = latency_ + works * gap_ * of(count + more);
    const ClockSpeed& clock = sampling_.environment.clock();
    // What computation does not hide is processor time; so is initiation.
    kinds_.push_back({.size = size,
                      .count = count,
                      .times = repetitions(train, visit_seconds, most),
                      .work = work,
                      .more = more,
                      .initiation = Series(clock),
                      .total = work == nullptr ? Series() : Series(clock)});
    return kinds_.size() - 1;
}

/// Finds out roughly how many seconds pass between two operations of a flood, which are `expected`,
/// 0 if unknown. Returns the seconds of a single operation. The first trains, which open
/// connections and fill caches, do not count.
double OperationMeasurement::look(std::uint64_t size, double expected) {
    constexpr double floor = 20e-9;
    const auto few = static_cast<std::uint64_t>(
        std::clamp(options_.longest / 4 / std::max(expected, floor), 2.0, 8.0));
    const bool dear = simulated_time || 10 * expected > options_.longest;
    std::vector<double> one;
    std::vector<double> all;
    for (int i = 0; i < (dear ? 2 : 5); ++i) {
        one.push_back(trains_.run(size, 1, nullptr, 0).total);
        all.push_back(trains_.run(size, few, nullptr, 0).total);
    }
    const double single = pair_.from_first(*std::min_element(one.begin(), one.end()));
    const double flood = pair_.from_first(*std::min_element(all.begin(), all.end()));
    gap_ = std::max({(flood - single) / of(few - 1), 0.01 * single, floor});
    return single;
}

void OperationMeasurement::visit(TrainKind& kind) {
    for (int i = 0; i <= kind.times; ++i) {
        double alone = 0;
        if (kind.work != nullptr && pair_.first()) {
            kind.work->run();  // processors need a moment to reach their speed
            const double start = pair_.now();
            for (std::uint64_t k = 0; k < kind.count + kind.more; ++k) kind.work->run();
            alone = pair_.now() - start;
        }
        const PacketTrain took = trains_.run(kind.size, kind.count, kind.work, kind.more);
        // The first train pays for cold caches. In long trains that is little, and one is enough.
        if (i == 0 && kind.times > 1) continue;
        kind.initiation.add(took.initiation);
        kind.total.add(took.total - alone);
        if (kind.times == 1) return;
    }
}

void OperationMeasurement::fill(const TrainKindsOfSize& row, OperationCosts& costs,
                                const std::string& place,
                                std::vector<std::string>& interpolated) const {
    const std::string here = place + ".overhead[" + std::to_string(costs.sizes.size()) + "]";
    auto& overhead = costs.overhead.emplace_back();
    for (std::size_t b = 0; b < options_.bursts.size(); ++b) {
        if (b < row.bursts.size()) {
            const TrainKind& kind = kinds_[row.bursts[b]];
            overhead.push_back(kind.initiation.median() / of(kind.count));
        } else {
            overhead.push_back(overhead.back());
            interpolated.push_back(here + "[" + std::to_string(b) + "]");
        }
    }
    const TrainKind& one = kinds_[row.one];
    costs.sizes.push_back(one.size);
    costs.latency.push_back(one.total.median());
    const double gap = each(row.part, row.flood);
    costs.bandwidth.push_back(of(one.size) / std::max(gap, 1e-12));
    if (costs.sizes.size() == 1) costs.gap = gap;
    costs.asymptotic.push_back(each(row.one_working, row.train_working));
}

/// Seconds of each operation of a train, without what the first and the last take longer: the train
/// less a shorter one.
double OperationMeasurement::each(std::size_t part, std::size_t train) const {
    const auto typical = [](const TrainKind& kind) {
        return kind.work == nullptr ? kind.total.lower_quartile() : kind.total.median();
    };
    const double more = typical(kinds_[train]) - typical(kinds_[part]);
    return std::max(0.0, more / (of(kinds_[train].count) - of(kinds_[part].count)));
}

}  // namespace

void measure_operation(const Sampling& sampling, const OperationOptions& options,
                       const TrainRunner& trains, Profile& profile) {
    OperationMeasurement(sampling, options, trains).run(profile);
}

}  // namespace lapwing

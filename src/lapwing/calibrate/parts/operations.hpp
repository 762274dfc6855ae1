#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lapwing/calibrate/ranks/rank_pair.hpp"
#include "lapwing/calibrate/sampling/campaign.hpp"
#include "lapwing/compute/chain.hpp"
#include "lapwing/profile/profile.hpp"
#include "lapwing/transport/operation.hpp"

namespace lapwing {

/// What to measure of each way to move bytes.
struct OperationOptions {
    std::vector<std::uint64_t> sizes = {8, 512, 4096, 32768, 262144, 1048576};  ///< increasing
    std::vector<int> bursts = {1, 16};                                          ///< increasing
    double longest = 20e-3;  ///< seconds one burst may keep the wire busy

    /// Fewer entries, in a few seconds.
    static OperationOptions quick() {
        return {.sizes = {8, 4096, 65536, 1048576}, .bursts = {1, 16}, .longest = 10e-3};
    }
};

/// What a train of operations took, seconds.
struct PacketTrain {
    double initiation = 0;  ///< until the last was initiated, computation in between included
    double total = 0;       ///< until all data was known to have arrived
};

/// Initiates `count` operations of `bytes` bytes, one behind the other, then waits for all of them.
/// Unless it is null, `work` is done after each, and `more` times after the last. Begins with both
/// ranks ready. The result is rank 0's.
template <Transport T, Operation O>
PacketTrain run_train(TransportPair<T>& pair, O& operation, std::uint64_t bytes,
                      std::uint64_t count, const Chain* work = nullptr, std::uint64_t more = 0) {
    T& transport = pair.transport();
    std::vector<typename O::Request> requests;
    requests.reserve(count);
    operation.prepare(count, bytes);
    pair.barrier();
    PacketTrain took;
    if (pair.first()) {
        const double start = transport.now();
        for (std::uint64_t i = 0; i < count; ++i) {
            requests.push_back(operation.start(i, bytes));
            if (work != nullptr) work->run();
        }
        took.initiation = transport.now() - start;
        for (std::uint64_t i = 0; i < more && work != nullptr; ++i) work->run();
        for (auto& request : requests) request.wait();
        operation.finish();
        took.total = transport.now() - start;
    } else {
        operation.attend(count, bytes);
    }
    pair.barrier();
    return took;
}

/// Measures one way to move bytes.
///
/// Trains of several kinds are run in turn, in the steady rhythm of a program that communicates:
/// after a pause a train takes up to four times as long. Floods are told by the lower quartile, as
/// a link that is shaped, or has credits, makes them take one of two times.
template <Transport T>
class OperationMeasurement {
  public:
    /// What it is about is known by its trains alone.
    template <Operation O>
    OperationMeasurement(TransportPair<T>& pair, O& operation, const OperationOptions& options)
        : pair_(pair),
          name_(O::name),
          transport_(O::transport),
          train_([&pair, &operation](std::uint64_t bytes, std::uint64_t count, const Chain* work,
                                     std::uint64_t more) {
              return run_train(pair, operation, bytes, count, work, more);
          }),
          options_(options) {}

    /// Takes about `seconds`. The costs are rank 0's. `interpolated` gets the entries that were not
    /// measured, as entries of `place`.
    OperationCosts run(const SamplingGoal& goal, double seconds, NoiseCounts& noise,
                       const StatusCallback& report, const std::string& place,
                       std::vector<std::string>& interpolated) {
        for (const std::uint64_t size : options_.sizes)
            if (!prepare(size)) break;
        Campaign<T> campaign(pair_, goal, seconds, noise, report);
        const std::string what = transport_ + " " + name_;
        for (Kind& kind : kinds_)
            campaign.add(what, {&kind.initiation, &kind.total}, [&] { visit(kind); });
        campaign.run();
        OperationCosts costs;
        costs.name = name_;
        costs.transport = transport_;
        costs.bursts = options_.bursts;
        for (const Row& row : rows_) fill(row, costs, place, interpolated);
        return costs;
    }

  private:
    /// Trains of one kind, and what they took.
    struct Kind {
        std::uint64_t size;   ///< bytes of an operation
        std::uint64_t count;  ///< operations of a train
        int times;            ///< trains in one visit, beside the first, which does not count
        const Chain* work;    ///< done after each operation, or null
        std::uint64_t more;   ///< times it is done after the last as well
        Series initiation;
        /// Until all data had arrived; less the computation, timed alone just before.
        Series total;
    };
    /// What is measured of one size: places in `kinds_`.
    struct Row {
        std::vector<std::size_t> bursts;  ///< those of `options_.bursts` that are not too long
        std::size_t one;
        std::size_t flood;
        std::size_t part;  ///< of the flood
        std::size_t one_working;
        std::size_t train_working;
    };

    /// Whether operations of `size` bytes can be measured in reasonable time. If so, it is settled
    /// how.
    bool prepare(std::uint64_t size) {
        const double bytes = of(size);
        const double expected = kinds_.empty() ? 0 : gap_ * bytes / of(kinds_.back().size);
        if (expected > options_.longest) return false;
        latency_ = look(size, expected);

        const double most = options_.longest / gap_;
        Row row;
        for (const int burst : options_.bursts) {
            if (!row.bursts.empty() && burst > most) break;
            row.bursts.push_back(kind(size, static_cast<std::uint64_t>(burst)));
        }
        row.one = kind(size, 1);
        // Long enough for the first to have arrived before the last leaves: only then does it show
        // what the processor spends on both ends of an operation.
        constexpr double filled = 16;
        constexpr double deepest = 1024;
        const double enough =
            std::max(filled * latency_ / gap_, of(kinds_[row.bursts.back()].count));
        const auto flood = static_cast<std::uint64_t>(
            std::clamp(std::min(enough, deepest), 2.0, std::max(2.0, most)));
        row.flood = kind(size, flood);
        row.part = kind(size, std::max<std::uint64_t>(1, flood / 4));

        // The computation has to outlast an operation, or it does not show what it cannot hide. It
        // goes on until the last one has arrived: waiting is no overhead.
        constexpr double longer = 1.5;
        constexpr double most_working = 64;
        const Chain* const work =
            works_.emplace_back(std::make_unique<Chain>(Chain::lasting(longer * gap_))).get();
        const auto more = static_cast<std::uint64_t>(latency_ / (longer * gap_));
        const double deep = std::clamp(most / longer, 2.0, most_working);
        row.one_working = kind(size, 1, work, more);
        row.train_working = kind(size, static_cast<std::uint64_t>(deep), work, more);
        rows_.push_back(row);
        return true;
    }
    std::size_t kind(std::uint64_t size, std::uint64_t count, const Chain* work = nullptr,
                     std::uint64_t more = 0) {
        for (std::size_t i = 0; i < kinds_.size(); ++i)
            if (kinds_[i].size == size && kinds_[i].count == count && kinds_[i].work == work)
                return i;
        constexpr double visit = 2e-3;  // seconds
        constexpr int most = 16;
        const double works = work == nullptr ? 1 : 4;
        const double train = latency_ + works * gap_ * of(count + more);
        // What computation does not hide is the processor's; so is initiation.
        kinds_.push_back({.size = size,
                          .count = count,
                          .times = repetitions(train, visit, most),
                          .work = work,
                          .more = more,
                          .initiation = Series(pair_.clock_speed()),
                          .total = work == nullptr ? Series() : Series(pair_.clock_speed())});
        return kinds_.size() - 1;
    }
    /// Finds out, about, how many seconds pass between two operations of a flood, which are
    /// `expected`, 0 if unknown. Returns what a single operation takes. The first trains, which
    /// open connections and fill caches, do not count.
    double look(std::uint64_t size, double expected) {
        constexpr double floor = 20e-9;
        const auto few = static_cast<std::uint64_t>(
            std::clamp(options_.longest / 4 / std::max(expected, floor), 2.0, 8.0));
        const bool dear = simulated_time || 10 * expected > options_.longest;
        std::vector<double> one;
        std::vector<double> all;
        for (int i = 0; i < (dear ? 2 : 5); ++i) {
            one.push_back(train_(size, 1, nullptr, 0).total);
            all.push_back(train_(size, few, nullptr, 0).total);
        }
        const double single = pair_.from_first(*std::min_element(one.begin(), one.end()));
        const double flood = pair_.from_first(*std::min_element(all.begin(), all.end()));
        gap_ = std::max({(flood - single) / of(few - 1), 0.01 * single, floor});
        return single;
    }

    void visit(Kind& kind) {
        for (int i = 0; i <= kind.times; ++i) {
            double alone = 0;
            if (kind.work != nullptr && pair_.first()) {
                kind.work->run();  // processors need a moment to reach their speed
                const double start = pair_.transport().now();
                for (std::uint64_t k = 0; k < kind.count + kind.more; ++k) kind.work->run();
                alone = pair_.transport().now() - start;
            }
            const PacketTrain took = train_(kind.size, kind.count, kind.work, kind.more);
            // The first pays for cold caches; of long trains that is little, and one is enough.
            if (i == 0 && kind.times > 1) continue;
            kind.initiation.add(took.initiation);
            kind.total.add(took.total - alone);
            if (kind.times == 1) return;
        }
    }

    void fill(const Row& row, OperationCosts& costs, const std::string& place,
              std::vector<std::string>& interpolated) {
        const std::string here = place + ".overhead[" + std::to_string(costs.sizes.size()) + "]";
        auto& overhead = costs.overhead.emplace_back();
        for (std::size_t b = 0; b < options_.bursts.size(); ++b) {
            if (b < row.bursts.size()) {
                const Kind& kind = kinds_[row.bursts[b]];
                overhead.push_back(kind.initiation.median() / of(kind.count));
            } else {
                overhead.push_back(overhead.back());
                interpolated.push_back(here + "[" + std::to_string(b) + "]");
            }
        }
        const Kind& one = kinds_[row.one];
        costs.sizes.push_back(one.size);
        costs.latency.push_back(one.total.median());
        const double gap = each(row.part, row.flood);
        costs.bandwidth.push_back(of(one.size) / std::max(gap, 1e-12));
        if (costs.sizes.size() == 1) costs.gap = gap;
        costs.asymptotic.push_back(each(row.one_working, row.train_working));
    }
    /// What each operation of a train takes, without what the first and the last take longer: the
    /// train less a shorter one.
    double each(std::size_t part, std::size_t train) {
        const double more = usual(kinds_[train]) - usual(kinds_[part]);
        return std::max(0.0, more / (of(kinds_[train].count) - of(kinds_[part].count)));
    }
    static double usual(const Kind& kind) {
        return kind.work == nullptr ? kind.total.lower_quartile() : kind.total.median();
    }
    [[nodiscard]] static double of(std::uint64_t count) { return static_cast<double>(count); }

    TransportPair<T>& pair_;
    std::string name_;
    std::string transport_;
    /// As `run_train`.
    std::function<PacketTrain(std::uint64_t, std::uint64_t, const Chain*, std::uint64_t)> train_;
    const OperationOptions& options_;
    double gap_ = 0;
    double latency_ = 0;
    std::vector<std::unique_ptr<Chain>> works_;
    std::vector<Kind> kinds_;
    std::vector<Row> rows_;
};

/// Measures every way to move bytes in the same way, one after the other, in about `seconds`.
/// `visit_all(visitor)` calls `visitor(operation)` for each `Operation`, in the same order on both
/// ranks. Rank 0 has the costs, in `profile.operations`.
///
/// - latency: a single operation;
/// - o(S, b): the initiation of a train of b operations, over b (Iancu 2.1, burst average);
/// - asymptotic o(S): a train with computation after each operation, timed without it, less the
///   same with one operation: what computation does not hide (the method of Bell 2003 that Iancu
///   cites);
/// - g and bandwidth: a train in which the first has long arrived when the last leaves, less its
///   first quarter.
template <Transport T, class VisitAll>
void measure_operations(TransportPair<T>& pair, const OperationOptions& options,
                        const SamplingGoal& goal, double seconds, NoiseCounts& noise,
                        const StatusCallback& report, VisitAll&& visit_all, Profile& profile) {
    double ways = 0;
    visit_all([&](auto&) { ++ways; });
    double done = 0;
    visit_all([&]<Operation O>(O& operation) {
        const std::string place = "operations[" + std::to_string(profile.operations.size()) + "]";
        OperationMeasurement<T> measurement(pair, operation, options);
        const auto report_part = [&](double share, const std::string& what) {
            if (report) report((done + share) / ways, what);
        };
        profile.operations.push_back(
            measurement.run(goal, seconds / ways, noise, report_part, place, profile.interpolated));
        ++done;
    });
}

}  // namespace lapwing

#pragma once

#include <mpi.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "lapwing/calibrate/benchmarks/bidirectional.hpp"
#include "lapwing/calibrate/benchmarks/measure_overlap.hpp"
#include "results/doctor_json.hpp"
#include "support/command.hpp"
#include "support/examination_options.hpp"
#include "support/rank_placement.hpp"
#include "support/run_description.hpp"

namespace lapwing::tools {
namespace examination {

constexpr std::string_view two_sided_name = "two-sided";
constexpr double longest_run = 20e-3;      ///< seconds; a run has as many messages as fit
constexpr double longest_message = 60e-3;  ///< seconds; larger messages are left out
/// Bytes from which the time of a message grows with its size, so that the next one can be
/// foretold.
constexpr std::uint64_t telling = 32 << 10;
constexpr std::uint64_t largest_elsewhere =
    1 << 20;  ///< bytes, for other transports than two-sided, to save time
constexpr double overtime =
    1.5;  ///< operations are left out after so many times the seconds asked for
constexpr std::uint64_t fewest_messages = 3;  ///< in a run, as the first and the last are special
constexpr std::uint64_t most_messages = 64;
// Both ranks begin together. If they take turns, they begin to do so after some messages.
constexpr std::uint64_t fewest_both_ways = 12;
constexpr double longest_both_ways = 150e-3;  ///< seconds one way; larger messages are left out

}  // namespace examination

/// Measures which share of the communication of one pair of ranks is hidden behind computation, and
/// messages in both directions at once; both ranks run it. `VisitAll`: called with the bytes of
/// buffers and with what to do with each operation, visits all there are.
template <class VisitAll>
class Examination {
  public:
    Examination(TwoSidedPair& pair, const ExaminationOptions& options, VisitAll visit_all)
        : pair_(pair),
          visit_all_(std::move(visit_all)),
          sizes_(options.sizes),
          transports_(options.transports),
          seconds_(options.seconds),
          pass_(VectorAdd::measure_pass()) {
        std::sort(sizes_.begin(), sizes_.end());
    }

    void run() {
        const double start = pair_.now();
        const std::uint64_t capacity = examination::fewest_messages * sizes_.back();
        int operations = 0;
        bool two_sided = false;
        each_operation(capacity, [&](auto& operation) {
            operations += rows(operation);
            two_sided = two_sided || operation.transport == examination::two_sided_name;
        });
        if (operations == 0) throw std::runtime_error("no transport of that name is here");
        if (two_sided) ++operations;
        const auto initiator = [&](auto& operation) {
            examine(operation.name, operation.transport, "initiator", operations,
                    [&](const MessageLoad& load, PolledComputation* step) {
                        return initiator_computes(pair_, operation, load, step);
                    });
        };
        // Two-sided messages come first, as the verdict is about them: on a busy machine there may
        // be no time for the others.
        each_operation(capacity, [&](auto& operation) {
            if (operation.transport != examination::two_sided_name) return;
            initiator(operation);
            Buffers buffers(capacity);
            examine(operation.name, operation.transport, "target", operations,
                    [&](const MessageLoad& load, PolledComputation* step) {
                        return receiver_computes(pair_, buffers, load, step);
                    });
        });
        if (two_sided) exchange(capacity, operations);
        each_operation(capacity, [&](auto& operation) {
            if (operation.transport == examination::two_sided_name) return;
            if (pair_.from_first(pair_.now() - start > examination::overtime * seconds_ ? 1 : 0) !=
                0) {
                left_out_ += (left_out_.empty() ? "" : ", ") + std::string(operation.name);
                return;
            }
            initiator(operation);
        });
    }
    /// Operations for which there was no time.
    [[nodiscard]] const std::string& left_out() const { return left_out_; }
    [[nodiscard]] const std::vector<OverlapMeasurement>& measurements() const {
        return measurements_;
    }
    [[nodiscard]] const std::vector<BothWaysMeasurement>& both_ways() const { return both_ways_; }
    [[nodiscard]] const NoiseCounts& noise() const { return noise_; }

  private:
    /// Visits the operations that were asked for, without blocking ones, during which nothing can
    /// be computed.
    template <class Visit>
    void each_operation(std::uint64_t capacity, Visit&& visit) {
        visit_all_(capacity, [&](auto& operation) {
            using O = std::remove_reference_t<decltype(operation)>;
            if constexpr (!std::same_as<typename O::Request, CompleteRequest>) {
                if (wanted(O::transport)) visit(operation);
            }
        });
    }
    [[nodiscard]] bool wanted(std::string_view transport) const {
        return transports_.empty() ||
               std::find(transports_.begin(), transports_.end(), transport) != transports_.end();
    }
    template <class O>
    static int rows(const O& operation) {
        return operation.transport == examination::two_sided_name ? 2 : 1;
    }

    /// The time share of one of `operations` operations.
    TimeShare section_of(int operations, std::size_t quantities) {
        return {pair_,
                {.accuracy = 0.02, .budget = seconds_ / operations, .least = 3},
                static_cast<int>(quantities),
                noise_,
                [this, operations](double share, const std::string& what) {
                    report_progress((done_ + share) / operations, what);
                }};
    }
    /// Measures all sizes of one operation while one side computes.
    void examine(const std::string& name, const std::string& transport, const std::string& side,
                 int operations,
                 const std::function<double(const MessageLoad&, PolledComputation*)>& run) {
        TimeShare section = section_of(operations, sizes_.size() * progress_modes.size());
        for (std::size_t i = 0; i < sizes_.size(); ++i) {
            const std::uint64_t size = sizes_[i];
            if (i > 0 && size > examination::largest_elsewhere &&
                transport != examination::two_sided_name)
                break;
            double seconds = 1;  // the least: the first run may open a connection
            for (int repetition = 0; repetition < (simulated_time ? 1 : 3); ++repetition)
                seconds = std::min(seconds, run(MessageLoad{.size = size}, nullptr));
            seconds = pair_.from_first(seconds);
            const std::uint64_t count = messages_in(seconds);
            OverlapMeasurement row{transport, name, side, size, count, {}};
            for (const ProgressMode& use : progress_modes) {
                const MessageLoad load{.size = size, .count = count, .use = use};
                const OverlapShare hidden = measure_overlap(
                    section, name + ", " + std::to_string(size) + " bytes", load, pass_,
                    [&](PolledComputation* step) { return run(load, step); });
                row.shares.emplace_back(use.name, hidden);
            }
            if (pair_.first()) measurements_.push_back(std::move(row));
            // On a slow network large messages are left out, of all operations.
            if (done_ == 0 && i + 1 < sizes_.size() && size >= examination::telling &&
                seconds * static_cast<double>(sizes_[i + 1]) / static_cast<double>(size) >
                    examination::longest_message)
                sizes_.resize(i + 1);
        }
        ++done_;
    }

    /// Measures messages in both directions at once, of sizes whose time is more than overhead.
    void exchange(std::uint64_t capacity, int operations) {
        constexpr int most_in_flight = 2;
        const auto first = std::lower_bound(sizes_.begin(), sizes_.end(), examination::telling);
        const auto sizes = static_cast<std::size_t>(sizes_.end() - first);
        TimeShare section = section_of(operations, sizes * most_in_flight);
        Buffers buffers(capacity);
        for (const std::uint64_t size : std::span(first, sizes)) {
            const double once = pair_.from_first(
                transfer(pair_, buffers,
                         {.size = size, .count = examination::fewest_messages, .back = false}));
            const double each = once / examination::fewest_messages;
            if (each * examination::fewest_both_ways > examination::longest_both_ways) break;
            const auto count = std::max(examination::fewest_both_ways, messages_in(each));
            for (int window = 1; window <= most_in_flight; ++window) {
                const Bidirectional measured = measure_bidirectional(
                    pair_, section, "both ways, " + std::to_string(size) + " bytes", buffers,
                    {.size = size, .count = count, .window = window});
                if (pair_.first())
                    both_ways_.push_back({size, count, window, measured.one_way, measured.both(),
                                          measured.slowdown});
            }
        }
        ++done_;
    }
    /// How many messages of `seconds` each a run has.
    static std::uint64_t messages_in(double seconds) {
        return static_cast<std::uint64_t>(
            std::clamp(examination::longest_run / std::max(seconds, 1e-9),
                       static_cast<double>(examination::fewest_messages),
                       static_cast<double>(examination::most_messages)));
    }

    TwoSidedPair& pair_;
    VisitAll visit_all_;
    std::vector<std::uint64_t> sizes_;
    std::vector<std::string> transports_;
    double seconds_;
    double pass_;
    int done_ = 0;
    NoiseCounts noise_;
    std::vector<OverlapMeasurement> measurements_;
    std::vector<BothWaysMeasurement> both_ways_;
    std::string left_out_;
};

/// Examines ranks 0 and 1; rank 0 of the two returns what was found. All ranks call it. `visitor`:
/// called with the communicator of the two, gives what visits all operations.
template <class Visitor>
[[nodiscard]] std::optional<DoctorResult> examine_pair(const ExaminationOptions& options,
                                                       Visitor&& visitor) {
    const RunDescription machine;
    const std::vector<std::string> places = gather_places();
    std::optional<DoctorResult> result;
    with_pair({0, 1}, [&](auto& pair, MPI_Comm two) {
        Examination examination(pair, options, visitor(two));
        examination.run();
        if (!pair.first()) return;
        result = DoctorResult{machine.fields(),
                              places,
                              machine.warnings(),
                              examination.noise().samples,
                              examination.noise().dropped,
                              examination.measurements(),
                              examination.both_ways()};
        if (!examination.left_out().empty())
            result->warnings.push_back("there was no time to measure " + examination.left_out());
    });
    return result;
}

}  // namespace lapwing::tools

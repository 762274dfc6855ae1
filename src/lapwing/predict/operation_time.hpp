#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "lapwing/model/network.hpp"
#include "lapwing/predict/algorithms.hpp"
#include "lapwing/predict/local_work_table.hpp"
#include "lapwing/predict/predict.hpp"
#include "lapwing/simulate/collectives/make_collective.hpp"
#include "lapwing/simulate/costs/measured_machine.hpp"

namespace lapwing {

/// What turns the time of an operation's messages into that of the operation.
struct TimeTerms {
    double more = 0;    ///< seconds beyond the messages
    double factor = 1;  ///< how many times as long the library's algorithm takes as the model says

    /// Seconds of an operation whose messages take `messages` seconds.
    [[nodiscard]] double seconds(double messages) const;
};

/// What an operation takes beyond its messages among others: local work, a start after a rest,
/// packing by hand, and what the library's algorithm takes otherwise. One answer for closed forms,
/// for the engine and for schedules that are simulated.
class OperationTime {
  public:
    /// `machine`: of the same profile. `ranks`, `size` and `algorithm` of the operation are
    /// ignored. Keeps a reference to `profile`.
    OperationTime(const Profile& profile, const Operation& operation,
                  const simulate::MeasuredMachine& machine);

    /// From now on local work of sizes between powers of two lies on straight lines, so that many
    /// predictions take little time.
    void expect_many() { many_.emplace(); }

    /// The terms of an algorithm with its usual segments. `ranks`, `size`: as of
    /// `simulate::CollectiveChoice`.
    [[nodiscard]] TimeTerms terms(const Algorithm& algorithm, std::uint64_t ranks,
                                  std::uint64_t size) const;
    /// The terms of a collective that `simulate::make_collective` makes.
    [[nodiscard]] TimeTerms terms(const simulate::CollectiveChoice& choice) const;

  private:
    /// The terms without local work.
    [[nodiscard]] TimeTerms of_messages(const Algorithm& algorithm, std::uint64_t ranks,
                                        std::uint64_t size) const;
    /// What local work costs each of the ranks that share a node.
    [[nodiscard]] CollectiveCosts costs_among(std::uint64_t ranks) const;

    const Profile& profile_;
    std::uint64_t ranks_per_node_;
    bool has_work_;  ///< whether local work costs anything
    mutable std::optional<LocalWorkTable> many_;
    std::optional<model::MessageCosts> isolated_;  ///< `isolated_correction`, by the first message
    std::optional<model::MessageCosts> packing_;   ///< `packing_correction`, by the whole size
};

/// Nine of ten measured times lie between these multiples of a predicted one; 1 and 1 where the
/// profile does not tell.
struct Interval {
    double low = 1;
    double high = 1;
};
/// The interval of the predictions of `operation`, a collective or "send".
[[nodiscard]] Interval interval_of(const Profile& profile, std::string_view operation);

/// The predicted time of a collective whose schedule was simulated.
struct CollectiveTime {
    double seconds = 0;
    double low = 0;  ///< nine of ten measured times lie between this and `high`, seconds
    double high = 0;
};
/// The time of the collective `choice`, whose last message ends at `finish` on `machine`. The
/// machine was made of `profile` with `options`. As `predict` says by the engine, with the choice's
/// own segments.
[[nodiscard]] CollectiveTime collective_time(const Profile& profile,
                                             const simulate::MeasuredMachine& machine,
                                             const simulate::MeasuredMachine::Options& options,
                                             const simulate::CollectiveChoice& choice,
                                             simulate::Time finish);

}  // namespace lapwing

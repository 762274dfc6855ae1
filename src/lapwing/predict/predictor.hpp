#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "lapwing/model/network.hpp"
#include "lapwing/predict/algorithms.hpp"
#include "lapwing/predict/predict.hpp"
#include "lapwing/simulate/costs/measured_machine.hpp"

namespace lapwing {

/// Predictions of one operation on one machine for any number of ranks and any size: what is the
/// same for all of them is found once.
class Predictor {
  public:
    /// `ranks` and `size` of the operation do not count. Throws as `predict`.
    Predictor(const Profile& profile, const Operation& operation, PredictionModel model);

    /// All of `ranks` with all of `sizes` will be asked for, of `questions` predictions in all:
    /// `automatic` leaves the engine those of so few messages that it plays all of them in seconds.
    void expect(std::span<const std::uint64_t> ranks, std::span<const std::uint64_t> sizes,
                std::uint64_t questions);

    /// What a prediction says, the algorithm as its place in `algorithms`.
    struct Answer {
        double seconds = 0;
        std::uint8_t algorithm = 0;
        PredictionModel model = PredictionModel::model;
        bool measured_range = true;
    };
    /// `first`: the place of the algorithm that is likely to be best, for others need not be told
    /// exactly then. It changes no answer.
    [[nodiscard]] Answer operator()(std::uint64_t ranks, std::uint64_t size,
                                    std::uint8_t first = 0) const;

    /// The algorithms of the operation.
    [[nodiscard]] const std::vector<const Algorithm*>& algorithms() const { return algorithms_; }

  private:
    /// What it takes more than its messages in turn, each a derived type.
    [[nodiscard]] double correction(const Algorithm& algorithm, std::uint64_t ranks,
                                    std::uint64_t size) const;
    /// If it is more than `cutoff`, any number that is.
    [[nodiscard]] double seconds(const Algorithm& algorithm, std::uint64_t ranks,
                                 std::uint64_t size, double cutoff) const;
    [[nodiscard]] double play(const Algorithm& algorithm, std::uint64_t ranks,
                              std::uint64_t size) const;
    [[nodiscard]] PredictionModel used(const Algorithm& algorithm, std::uint64_t ranks,
                                       std::uint64_t size) const;
    /// The place of the algorithm that a table chooses.
    [[nodiscard]] std::uint8_t chosen(std::uint64_t ranks, std::uint64_t size) const;

    const Profile& profile_;
    Operation operation_;
    PredictionModel model_;
    double most_messages_;
    std::vector<const Algorithm*> algorithms_;
    std::vector<std::uint8_t> candidates_;  ///< of `algorithms_`; empty: a table chooses
    model::Network network_;
    std::optional<simulate::MeasuredMachine> machine_;
    std::optional<model::MessageCosts> after_rest_;  ///< by the first message
    std::optional<model::MessageCosts> by_hand_;     ///< by the whole size
    /// The sizes that all tables have, from this one up to that one; without a table, any.
    std::uint64_t measured_from_ = 0;
    std::uint64_t measured_to_ = 0;
};

}  // namespace lapwing

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "lapwing/model/network.hpp"
#include "lapwing/predict/algorithms.hpp"
#include "lapwing/predict/operation_time.hpp"
#include "lapwing/predict/predict.hpp"
#include "lapwing/simulate/costs/measured_machine.hpp"

namespace lapwing {

/// Predicts one operation on one machine for any number of ranks and any size. Everything that does
/// not depend on these two is computed once, by the constructor.
class Predictor {
  public:
    /// Ignores `ranks` and `size` of the operation. Keeps a reference to `profile`. Throws as
    /// `predict`.
    Predictor(const Profile& profile, const Operation& operation, PredictionModel model);

    /// Announces that all of `ranks` with all of `sizes` will be asked for, out of `questions`
    /// predictions in total. `automatic` then uses the engine up to the number of messages at which
    /// it simulates all of them within seconds. Of more than 10,000, local work is that of the
    /// powers of two beside each size.
    void expect(std::span<const std::uint64_t> ranks, std::span<const std::uint64_t> sizes,
                std::uint64_t questions);

    /// A prediction, with the algorithm as its place in `algorithms`.
    struct Answer {
        double seconds = 0;
        std::uint8_t algorithm = 0;
        PredictionModel model = PredictionModel::model;
        bool measured_range = true;
    };
    /// Predicts one number of ranks with one size. `first`: the place of the algorithm that is
    /// likely to be the best; it makes the answer faster, never another one. Throws as `predict`.
    [[nodiscard]] Answer operator()(std::uint64_t ranks, std::uint64_t size,
                                    std::uint8_t first = 0) const;

    /// The algorithms of the operation.
    [[nodiscard]] const std::vector<const Algorithm*>& algorithms() const { return algorithms_; }

  private:
    /// Fills `algorithms_` and `candidates_`.
    void find_algorithms();
    /// Fills the network, the machine and the time beyond messages.
    void derive_costs();

    /// Seconds of the operation. If these exceed `cutoff`, any other number above `cutoff`.
    [[nodiscard]] double seconds(const Algorithm& algorithm, std::uint64_t ranks,
                                 std::uint64_t size, double cutoff) const;
    /// Seconds of the messages, by the event engine.
    [[nodiscard]] double simulated(const Algorithm& algorithm, std::uint64_t ranks,
                                   std::uint64_t size) const;
    /// The model that this prediction uses.
    [[nodiscard]] PredictionModel used(const Algorithm& algorithm, std::uint64_t ranks,
                                       std::uint64_t size) const;
    /// The place of the algorithm that the MPI library named in the operation chooses.
    [[nodiscard]] std::uint8_t chosen(std::uint64_t ranks, std::uint64_t size) const;

    const Profile& profile_;
    Operation operation_;
    PredictionModel model_;
    double most_messages_;
    std::vector<const Algorithm*> algorithms_;
    std::vector<std::uint8_t> candidates_;  ///< places in `algorithms_`; empty: a library chooses
    model::Network network_;
    std::optional<simulate::MeasuredMachine> machine_;
    std::optional<OperationTime> time_;
    // The sizes that all tables have, bytes; any size if there is no table.
    std::uint64_t measured_from_ = 0;
    std::uint64_t measured_to_ = 0;
};

}  // namespace lapwing

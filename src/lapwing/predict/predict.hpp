#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// A communication operation to predict.
struct Operation {
    std::string name;  ///< "send" (point to point) or a collective, of `predicted_operations`
    /// One of `predicted_algorithms(name)`, "best" for the one predicted to be fastest, or the
    /// library whose choice is to be predicted: "mvapich2", "mpich", "openmpi".
    std::string algorithm = "best";
    std::uint64_t ranks = 2;  ///< P
    /// Bytes: of a send, the message; of a collective, as `simulate::CollectiveChoice` says.
    std::uint64_t size = 0;
    std::optional<std::uint64_t> stride;  ///< bytes from one element to the next; none: contiguous
    bool packed = false;  ///< strided data is packed by hand at one end and unpacked at the other
    std::uint64_t ranks_per_node = 1;  ///< consecutive ranks are on one node
};

/// How a prediction is made.
enum class PredictionModel {
    automatic,  ///< `engine` for schedules of few messages, else `model`
    engine,     ///< simulate the schedule event by event on `simulate::MeasuredMachine`
    model,      ///< the closed form of the algorithm, corrected for what was measured
    printed,    ///< the closed form as its paper prints it
};

/// The predicted cost of an operation.
struct Prediction {
    double seconds = 0;
    // Nine of ten measured times lie between these, seconds; `seconds` where the profile does not
    // tell (`CollectiveCosts`).
    double low = 0;
    double high = 0;
    std::string algorithm;  ///< the one predicted
    PredictionModel model;  ///< the one used, never `automatic`
    /// Every message is of a size within the profile's tables, if there are any.
    bool measured_range = true;
};

/// Predicts an operation on the machine of `profile`: seconds from when all ranks begin it, after a
/// computation, until the last one is done. Of a send, it is half a round trip among others. Never
/// communicates. Throws `std::invalid_argument` with one line. It names an unknown name and the
/// nearest known one, ranks or sizes out of range, or a missing table and the command to measure
/// it.
[[nodiscard]] Prediction predict(const Profile& profile, const Operation& operation,
                                 PredictionModel model = PredictionModel::automatic);

/// The names of the operations that can be predicted.
[[nodiscard]] std::vector<std::string> predicted_operations();
/// The names of the algorithms of one of them. Throws `std::invalid_argument` if it is unknown.
[[nodiscard]] std::vector<std::string> predicted_algorithms(std::string_view operation);

}  // namespace lapwing

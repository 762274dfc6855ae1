#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// What is to be communicated, between how many.
struct Operation {
    std::string name;  ///< "send", point to point, or a collective: `predicted_operations`
    /// One of `predicted_algorithms(name)`, "best" for the one predicted to be fastest, or a table
    /// of who picks what: "mvapich2", "mpich", "openmpi". Of a send there is one, "direct".
    std::string algorithm = "best";
    std::uint64_t ranks = 2;  ///< P
    /// Bytes, as `simulate::CollectiveChoice` counts them; of a send, the message.
    std::uint64_t size = 0;
    /// Bytes from one element to the next where the data is strided.
    std::optional<std::uint64_t> stride;
    bool packed = false;  ///< strided data is packed by hand at one end and unpacked at the other
    std::uint64_t ranks_per_node = 1;  ///< consecutive ranks are on one node
};

/// How a prediction is made.
enum class PredictionModel {
    automatic,  ///< by the engine where that has few messages to play, else by the model
    engine,     ///< play the schedule event by event: `simulate::MeasuredMachine`
    model,      ///< the closed form of the algorithm: `model`, corrected
    printed,    ///< the closed form as its paper prints it
};

/// What an operation is predicted to cost.
struct Prediction {
    double seconds = 0;
    std::string algorithm;  ///< the one predicted
    PredictionModel model;  ///< the one used, never `automatic`
    /// Every message has a size the profile has tables for, as far as it has any.
    bool measured_range = true;
};

/// What the operation will cost on the machine that was measured, seconds from when all ranks begin
/// it, as a program does after a computation, until the last is done; of a send half a round trip
/// among others. Never communicates. Throws
/// `std::invalid_argument` with one line: an unknown name and the nearest known, ranks or sizes
/// that are out of range, a table the profile lacks and the command that measures it.
[[nodiscard]] Prediction predict(const Profile& profile, const Operation& operation,
                                 PredictionModel model = PredictionModel::automatic);

/// The operations that can be predicted, and the algorithms of each.
[[nodiscard]] std::vector<std::string> predicted_operations();
[[nodiscard]] std::vector<std::string> predicted_algorithms(std::string_view operation);

}  // namespace lapwing

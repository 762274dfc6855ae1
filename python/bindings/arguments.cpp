#include "arguments.hpp"

#include <stdexcept>
#include <string>

namespace lapwing::python {
namespace {

[[noreturn]] void refuse(std::string_view what, std::string_view name, std::string_view known) {
    throw std::invalid_argument("unknown " + std::string(what) + " \"" + std::string(name) +
                                "\": it is " + std::string(known));
}

}  // namespace

PredictionModel prediction_model_named(std::string_view name) {
    if (name == "auto") return PredictionModel::automatic;
    if (name == "engine") return PredictionModel::engine;
    if (name == "model") return PredictionModel::model;
    if (name == "printed") return PredictionModel::printed;
    refuse("model", name, "auto, engine, model or printed");
}

std::uint64_t bytes(std::string_view what, const nanobind::int_& value) {
    std::uint64_t number = 0;
    if (!nanobind::try_cast(value, number))
        throw std::invalid_argument(std::string(what) + " must be from 1 to 2^53 bytes");
    return number;
}

std::uint64_t count(std::string_view what, const nanobind::int_& value) {
    std::uint64_t number = 0;
    if (!nanobind::try_cast(value, number))
        throw std::invalid_argument(std::string(what) + " must be a number from 0 on");
    return number;
}

}  // namespace lapwing::python

#include "predict.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "lapwing/model/packing.hpp"
#include "lapwing/predict/grid.hpp"
#include "lapwing/predict/printed.hpp"
#include "lapwing/profile/table.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lapwing::python {
namespace {

using Whole = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Grid = nb::ndarray<nb::numpy, double, nb::ndim<2>, nb::c_contig>;

/// One of them.
struct Prediction {
    double seconds;
    double low;
    double high;
    std::string algorithm;
    bool by_engine;
    bool measured_range;
};

/// Predictions as arrays, a row for each number of ranks.
struct Predictions {
    PredictionGrid grid;
    std::size_t rows;
    std::size_t columns;
};

std::vector<std::vector<Prediction>> rows(const Predictions& made) {
    std::vector<std::vector<Prediction>> rows(made.rows);
    std::size_t at = 0;
    for (auto& row : rows) {
        row.reserve(made.columns);
        for (; row.size() < made.columns; ++at)
            row.push_back({.seconds = made.grid.seconds[at],
                           .low = made.grid.seconds[at] * made.grid.low,
                           .high = made.grid.seconds[at] * made.grid.high,
                           .algorithm = made.grid.names[made.grid.algorithm[at]],
                           .by_engine = made.grid.model[at] == PredictionModel::engine,
                           .measured_range = made.grid.measured_range[at] != 0});
    }
    return rows;
}

Predictions predictions(const Profile& profile, const std::string& name,
                        const std::string& algorithm, std::string_view model, const Whole& ranks,
                        const Whole& sizes, std::optional<std::uint64_t> stride, bool packed,
                        std::uint64_t ranks_per_node, std::uint64_t questions) {
    const Operation operation{.name = name,
                              .algorithm = algorithm,
                              .stride = stride,
                              .packed = packed,
                              .ranks_per_node = ranks_per_node};
    const auto chosen = prediction_model_named(model);
    const nb::gil_scoped_release others_run;
    return {predict(profile, operation, std::span(ranks.data(), ranks.size()),
                    std::span(sizes.data(), sizes.size()), chosen, questions),
            ranks.size(), sizes.size()};
}

}  // namespace

void bind_predict(nb::module_& module) {
    nb::class_<Prediction>(module, "Prediction", "The predicted time of one operation.")
        .def_ro("seconds", &Prediction::seconds, "Seconds.")
        .def_ro("low", &Prediction::low,
                "Nine of ten measured times lie between this and `high`, seconds; both are "
                "`seconds` where the profile does not tell.")
        .def_ro("high", &Prediction::high, "See `low`.")
        .def_ro("algorithm", &Prediction::algorithm, "By which.")
        .def_ro("by_engine", &Prediction::by_engine,
                "Whether the engine predicted it, event by event.")
        .def_ro("measured_range", &Prediction::measured_range,
                "Whether the profile has tables for the sizes of all messages.");
    nb::class_<Predictions>(module, "Predictions",
                            "Predictions for every number of ranks (rows) with every size "
                            "(columns).")
        .def_prop_ro(
            "seconds",
            // The array lives as long as the predictions.
            [](Predictions& made) {
                return Grid(made.grid.seconds.data(), {made.rows, made.columns}, nb::find(made));
            },
            "Seconds.")
        .def_prop_ro("rows", &rows, "Every prediction, in a list for each number of ranks.");

    module.def("predict", &predictions, "profile"_a, "operation"_a, nb::kw_only(), "algorithm"_a,
               "model"_a, "ranks"_a, "sizes"_a, "stride"_a.none(), "packed"_a, "ranks_per_node"_a,
               "questions"_a,
               "The predicted times of an operation. Raises ValueError if it is impossible.");
    module.def(
        "packing",
        [](const Profile& profile, std::uint64_t size, std::uint64_t stride) {
            const auto ways = model::packing(strided_costs(profile), static_cast<double>(size),
                                             static_cast<double>(stride));
            return std::pair(ways.derived, ways.packed);
        },
        "profile"_a, "size"_a, "stride"_a,
        "Seconds of a strided message as a derived type, and packed by hand.");
    module.def("is_printed", &is_printed, "operation"_a, "algorithm"_a, "strided"_a,
               "Whether a paper prints a formula for it.");
    module.def("predicted_operations", &predicted_operations,
               "The operations that can be predicted.");
    module.def("predicted_algorithms", &predicted_algorithms, "operation"_a,
               "The algorithms of an operation. Raises ValueError if there is no such operation.");
}

}  // namespace lapwing::python

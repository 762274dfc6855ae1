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
#include <stdexcept>
#include <utility>
#include <vector>

#include "lapwing/model/packing.hpp"
#include "lapwing/predict/grid.hpp"
#include "lapwing/predict/printed.hpp"
#include "words.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lapwing::python {
namespace {

using Whole = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class Number>
using Grid = nb::ndarray<nb::numpy, Number, nb::ndim<2>, nb::c_contig>;

/// Predictions as arrays, a row for each number of ranks.
struct Predictions {
    PredictionGrid grid;
    std::size_t rows;
    std::size_t columns;
};

/// An array that lives as long as the predictions it is of.
template <class Number>
Grid<Number> array(Predictions& made, std::vector<Number>& values) {
    return {values.data(), {made.rows, made.columns}, nb::find(made)};
}

Predictions predictions(const Profile& profile, const std::string& name,
                        const std::string& algorithm, std::string_view method, const Whole& ranks,
                        const Whole& sizes, std::optional<std::uint64_t> stride,
                        std::uint64_t ranks_per_node, std::uint64_t questions) {
    const Operation operation{
        .name = name, .algorithm = algorithm, .stride = stride, .ranks_per_node = ranks_per_node};
    const auto chosen = prediction_method_named(method);
    const nb::gil_scoped_release others_run;
    return {predict(profile, operation, std::span(ranks.data(), ranks.size()),
                    std::span(sizes.data(), sizes.size()), chosen, questions),
            ranks.size(), sizes.size()};
}

}  // namespace

void bind_predict(nb::module_& module) {
    nb::class_<Predictions>(module, "Predictions",
                            "Predictions for every number of ranks (rows) with every size "
                            "(columns).")
        .def_prop_ro(
            "seconds", [](Predictions& made) { return array(made, made.grid.seconds); }, "Seconds.")
        .def_prop_ro(
            "names", [](const Predictions& made) { return made.grid.names; },
            "The algorithms that `algorithm` counts in.")
        .def_prop_ro(
            "algorithm", [](Predictions& made) { return array(made, made.grid.algorithm); },
            "Which algorithm each prediction is of.")
        .def_prop_ro(
            "by_engine",
            [](const Predictions& made) {
                std::vector<bool> engine;
                engine.reserve(made.grid.method.size());
                for (const auto method : made.grid.method)
                    engine.push_back(method == PredictionMethod::engine);
                return engine;
            },
            "Whether each prediction is the engine's, row by row.")
        .def_prop_ro(
            "measured_range",
            [](Predictions& made) { return array(made, made.grid.measured_range); },
            "Whether each prediction stays where the profile has tables, 0 or 1.");

    module.def("predict", &predictions, "profile"_a, "operation"_a, nb::kw_only(), "algorithm"_a,
               "model"_a, "ranks"_a, "sizes"_a, "stride"_a.none(), "ranks_per_node"_a,
               "questions"_a,
               "What an operation will cost. ValueError says what is impossible about it.");
    module.def(
        "packing",
        [](const Profile& profile, std::uint64_t size, std::uint64_t stride) {
            if (!profile.log3p)
                throw std::invalid_argument("the profile does not say what strided data costs");
            const auto ways = model::packing(*profile.log3p, static_cast<double>(size),
                                             static_cast<double>(stride));
            return std::pair(ways.derived, ways.packed);
        },
        "profile"_a, "size"_a, "stride"_a,
        "Seconds of a strided message as a derived type, and packed by hand.");
    module.def("is_printed", &is_printed, "operation"_a, "algorithm"_a, "strided"_a,
               "Whether a paper prints a formula for it.");
    module.def("predicted_operations", &predicted_operations, "The operations there are.");
    module.def("predicted_algorithms", &predicted_algorithms, "operation"_a,
               "The algorithms of an operation. ValueError if there is no such operation.");
}

}  // namespace lapwing::python

// What transforms will take: see lapwing.transforms.

#include "fft.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "lapwing/fft/forecast.hpp"
#include "lapwing/fft/names.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lapwing::python {
namespace {

using Lengths = std::tuple<std::size_t, std::size_t, std::size_t>;

fft::TransformProblem problem_of(const Lengths& size, int ranks, int ranks_per_node, bool real) {
    const auto [n0, n1, n2] = size;
    return {.size = {n0, n1, n2}, .ranks = ranks, .ranks_per_node = ranks_per_node, .real = real};
}

/// What does not depend on how a transform is sent.
fft::Options options_of(std::string_view order, std::string_view decomposition, std::size_t batch) {
    fft::Options options;
    options.order = fft::order_named(order);
    options.decomposition = fft::decomposition_named(decomposition);
    options.batch = batch;
    return options;
}

}  // namespace

void bind_fft(nb::module_& module) {
    nb::class_<fft::Forecast>(module, "TransformForecast", "What one transform will take.")
        .def_prop_ro(
            "schedule", [](const fft::Forecast& made) { return name(made.options.schedule); },
            "When data is sent.")
        .def_prop_ro(
            "transport", [](const fft::Forecast& made) { return name(made.options.transport); },
            "How it is sent.")
        .def_prop_ro(
            "tile", [](const fft::Forecast& made) { return made.options.tile; },
            "Planes in an all-to-all, for tiled.")
        .def_prop_ro(
            "window", [](const fft::Forecast& made) { return made.options.window; },
            "Messages in flight, 0 for all; for tiled all-to-alls, 0 for 2.")
        .def_prop_ro(
            "strips", [](const fft::Forecast& made) { return made.options.strips; },
            "Into which what one rank gets of a plane is cut, for strips and tails.")
        .def_prop_ro(
            "packing", [](const fft::Forecast& made) { return name(made.options.packing); },
            "How what one rank gets is brought together, for exchange.")
        .def_prop_ro(
            "block", [](const fft::Forecast& made) { return made.options.block; },
            "Planes packed at a time, for blocked.")
        .def_prop_ro(
            "padding", [](const fft::Forecast& made) { return made.options.padding; },
            "Elements between two of them.")
        .def_ro("seconds", &fft::Forecast::seconds,
                "Seconds from a common start until the last rank is done.")
        .def_ro("lines", &fft::Forecast::lines,
                "Seconds of these that transform lines, of the rank that has most.");

    module.attr("TRANSFORM_STRIPS") = fft::Options{}.strips;
    module.attr("TRANSFORM_POLL_INTERVAL") = fft::Options{}.poll_interval;
    module.def(
        "transform_window",
        [](std::string_view schedule, std::string_view transport,
           int ranks) -> std::optional<std::size_t> {
            fft::Options options;
            options.schedule = fft::schedule_named(schedule);
            options.transport = fft::transport_named(transport);
            const std::size_t window = fft::window_of(options, ranks);
            if (window == std::numeric_limits<std::size_t>::max()) return std::nullopt;
            return window;
        },
        "schedule"_a, "transport"_a, "ranks"_a,
        "Messages in flight, or all-to-alls, where nobody says how many; None for all.");
    module.def(
        "transform_forecasts",
        [](const Profile& profile, const Lengths& size, int ranks, int ranks_per_node, bool real,
           std::string_view order, std::string_view decomposition, std::size_t batch) {
            const auto problem = problem_of(size, ranks, ranks_per_node, real);
            const auto options = options_of(order, decomposition, batch);
            const nb::gil_scoped_release others_run;
            return fft::forecasts(profile, problem, options);
        },
        "profile"_a, "size"_a, nb::kw_only(), "ranks"_a, "ranks_per_node"_a, "real"_a = false,
        "order"_a = "transposed", "decomposition"_a = "1d", "batch"_a = 1,
        "Every way to transform, fastest first. ValueError says what is impossible about it.");
    module.def(
        "transform_packings",
        [](const Profile& profile, const Lengths& size, int ranks, int ranks_per_node, bool real,
           std::string_view order, std::string_view decomposition, std::size_t batch) {
            const auto problem = problem_of(size, ranks, ranks_per_node, real);
            auto options = options_of(order, decomposition, batch);
            options.transport = fft::Transport::collective;
            const nb::gil_scoped_release others_run;
            return std::pair(fft::packings(profile, problem, options),
                             std::string(name(fft::packing_by_loggp(profile, problem, options))));
        },
        "profile"_a, "size"_a, nb::kw_only(), "ranks"_a, "ranks_per_node"_a, "real"_a = false,
        "order"_a = "transposed", "decomposition"_a = "1d", "batch"_a = 1,
        "The exchange by one all-to-all with each packing, fastest by log_3P first, and LogGP's "
        "choice.");
    module.def(
        "transform_forecast",
        [](const Profile& profile, const Lengths& size, int ranks, int ranks_per_node, bool real,
           std::string_view order, std::string_view decomposition, std::size_t batch,
           std::string_view schedule, std::string_view transport, std::size_t tile, int window,
           std::size_t strips, std::string_view packing, std::size_t block, std::size_t padding) {
            const auto problem = problem_of(size, ranks, ranks_per_node, real);
            fft::Options options = options_of(order, decomposition, batch);
            options.schedule = fft::schedule_named(schedule);
            options.transport = fft::transport_named(transport);
            options.tile = tile;
            options.window = window;
            options.strips = strips;
            options.packing = fft::packing_named(packing);
            options.block = block;
            options.padding = padding;
            const nb::gil_scoped_release others_run;
            return fft::forecast(profile, problem, options);
        },
        "profile"_a, "size"_a, nb::kw_only(), "ranks"_a, "ranks_per_node"_a, "real"_a = false,
        "order"_a = "transposed", "decomposition"_a = "1d", "batch"_a = 1, "schedule"_a,
        "transport"_a, "tile"_a = 1, "window"_a = 0, "strips"_a = fft::Options{}.strips,
        "packing"_a = "copy", "block"_a = 1, "padding"_a = 0,
        "One way to transform. ValueError says what is impossible about it.");
}

}  // namespace lapwing::python

// What transforms will take: see lapwing.transforms.

#include "fft.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <string_view>
#include <tuple>
#include <vector>

#include "lapwing/fft/forecast.hpp"
#include "lapwing/fft/words.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lapwing::python {
namespace {

using Lengths = std::tuple<std::size_t, std::size_t, std::size_t>;

fft::Shape shape_of(const Lengths& size, int ranks, int ranks_per_node) {
    const auto [n0, n1, n2] = size;
    return {.size = {n0, n1, n2}, .ranks = ranks, .ranks_per_node = ranks_per_node};
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
            "Into which what one rank gets of a plane is cut, for strips.")
        .def_ro("seconds", &fft::Forecast::seconds,
                "Seconds from a common start until the last rank is done.")
        .def_ro("lines", &fft::Forecast::lines,
                "Seconds of these that transform lines, of the rank that has most.");

    module.attr("TRANSFORM_STRIPS") = fft::Options{}.strips;
    module.def(
        "transform_forecasts",
        [](const Profile& profile, const Lengths& size, int ranks, int ranks_per_node) {
            const nb::gil_scoped_release others_run;
            return fft::forecasts(profile, shape_of(size, ranks, ranks_per_node));
        },
        "profile"_a, "size"_a, nb::kw_only(), "ranks"_a, "ranks_per_node"_a,
        "Every way to transform, fastest first. ValueError says what is impossible about it.");
    module.def(
        "transform_forecast",
        [](const Profile& profile, const Lengths& size, int ranks, int ranks_per_node,
           std::string_view schedule, std::string_view transport, std::size_t tile, int window,
           std::size_t strips) {
            fft::Options options;
            options.schedule = fft::schedule_named(schedule);
            options.transport = fft::transport_named(transport);
            options.tile = tile;
            options.window = window;
            options.strips = strips;
            const nb::gil_scoped_release others_run;
            return fft::forecast(profile, shape_of(size, ranks, ranks_per_node), options);
        },
        "profile"_a, "size"_a, nb::kw_only(), "ranks"_a, "ranks_per_node"_a, "schedule"_a,
        "transport"_a, "tile"_a, "window"_a, "strips"_a,
        "One way to transform. ValueError says what is impossible about it.");
}

}  // namespace lapwing::python

#include "workload.hpp"

#include <nanobind/stl/string.h>

#include <string>

#include "arguments.hpp"
#include "lapwing/plan/names.hpp"

namespace nb = nanobind;

namespace lapwing::python {

Workload workload_of(double compute, const nb::kwargs& words) {
    const auto text = [&](const char* name) { return nb::cast<std::string>(words[name]); };
    const auto number = [&](const char* name) {
        return bytes(name, nb::cast<nb::int_>(words[name]));
    };
    const auto many = [&](const char* name) {
        return count(name, nb::cast<nb::int_>(words[name]));
    };
    return {.volume = number("volume"),
            .compute = compute,
            .grain = number("grain"),
            .pattern = pattern_named(text("pattern")),
            .direction = direction_named(text("direction")),
            .dependence = dependence_named(text("dependence")),
            .ranks = many("ranks"),
            .peers = many("peers"),
            .balanced = nb::cast<bool>(words["balanced"]),
            .block = number("block"),
            .stride = number("stride"),
            .sizes_known = nb::cast<bool>(words["sizes_known"]),
            .uncertainty = nb::cast<double>(words["uncertainty"]),
            .transport = transport_named(text("transport"))};
}

}  // namespace lapwing::python

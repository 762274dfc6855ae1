#include "tuner.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>

#include "lapwing/io/tuner_state_json.hpp"
#include "lapwing/tuner/tuner.hpp"
#include "workload.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lapwing::python {
namespace {

/// Seconds of a step: elapsed, and of them computed and waited.
using Times = std::tuple<double, double, double>;

StepTimes observed(const Times& times) {
    return {.elapsed = std::get<0>(times),
            .computation = std::get<1>(times),
            .wait = std::get<2>(times)};
}

Tuner begun(const Profile& profile, double compute, double tolerance, double allowance,
            int interval, const nb::kwargs& words) {
    const Workload workload = workload_of(compute, words);
    const nb::gil_scoped_release others_run;
    return {profile, workload, {tolerance, allowance, interval}};
}

Tuner resumed(const Profile& profile, std::string_view learnt, double tolerance, double allowance,
              int interval) {
    try {
        const nb::gil_scoped_release others_run;
        return {profile, tuner_state_from_json(learnt), {tolerance, allowance, interval}};
    } catch (const std::runtime_error& error) {
        throw nb::value_error(error.what());
    }
}

/// `agree`: None, or a function that turns this rank's times into those that all ranks agree on.
void step(Tuner& tuner, const Times& mine, const nb::object& agree) {
    if (agree.is_none()) {
        tuner.step(observed(mine));
        return;
    }
    tuner.step(observed(mine), [&](const StepTimes& seen) {
        return observed(nb::cast<Times>(agree(Times{seen.elapsed, seen.computation, seen.wait})));
    });
}

}  // namespace

void bind_tuner(nb::module_& module) {
    nb::class_<Tuner>(module, "Tuner", "Finds the plan of a loop while the loop runs.")
        .def_ro_static("most_steps", &Tuner::most_steps,
                       "Steps after which it has settled at the latest.")
        .def_static("begun", &begun, "profile"_a, nb::kw_only(), "compute"_a, "tolerance"_a,
                    "allowance"_a, "interval"_a, "workload"_a,
                    nb::sig("def begun(profile: Profile, *, compute: float, tolerance: float, "
                            "allowance: float, interval: int, **workload: object) -> Tuner"),
                    "A tuner that begins to learn a workload whose members are all given.")
        .def_static("resumed", &resumed, "profile"_a, "learnt"_a, nb::kw_only(), "tolerance"_a,
                    "allowance"_a, "interval"_a,
                    "A settled tuner with what another one has learnt, a JSON document.")
        .def_prop_ro(
            "plan", [](const Tuner& tuner) { return tuner.plan(); },
            "The plan of the next step: a copy.")
        .def("step", &step, "mine"_a, "agree"_a.none(),
             nb::sig("def step(self, mine: tuple[float, float, float], "
                     "agree: object) -> None"),
             "Tell it that a step has ended. Seconds: elapsed, and of them computed and waited.")
        .def_prop_ro("settled", &Tuner::settled,
                     "Whether it has found its plan and only watches for a change.")
        .def(
            "learnt", [](const Tuner& tuner) { return to_json(tuner.learnt()); },
            "What it has learnt, as a JSON document. Raises RuntimeError while it learns.");
}

}  // namespace lapwing::python

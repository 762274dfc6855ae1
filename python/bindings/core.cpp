// The pure modules as the Python module lapwing._core: values and functions as they are in C++.

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "fft.hpp"
#include "labelled.hpp"
#include "lapwing/io/plan_json.hpp"
#include "lapwing/io/profile_json.hpp"
#include "lapwing/io/sensitivity_json.hpp"
#include "lapwing/plan/names.hpp"
#include "lapwing/plan/plan.hpp"
#include "lapwing/profile/environment.hpp"
#include "lapwing/profile/fingerprint.hpp"
#include "peer_sequence.hpp"
#include "predict.hpp"
#include "record.hpp"
#include "replay.hpp"
#include "simulate.hpp"
#include "tuner.hpp"
#include "workload.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lapwing::python {
namespace {

Profile profile_of(std::string_view document) {
    try {
        const nb::gil_scoped_release others_run;
        return profile_from_json(document);
    } catch (const std::runtime_error& error) {
        throw nb::value_error(error.what());
    }
}

std::string upgraded(std::string_view document) {
    try {
        return upgraded_profile(document);
    } catch (const std::runtime_error& error) {
        throw nb::value_error(error.what());
    }
}

Plan plan_of(std::string_view document) {
    try {
        return plan_from_json(std::string(document));
    } catch (const std::runtime_error& error) {
        throw nb::value_error(error.what());
    }
}

Plan plan_for(const Profile& profile, double compute, std::string_view method,
              const nb::kwargs& words) {
    const Workload workload = workload_of(compute, words);
    const Method chosen = method_named(method);
    const nb::gil_scoped_release others_run;
    return lapwing::plan(profile, workload, chosen);
}

std::string sensitivity_for(const Profile& profile, double compute, std::string_view method,
                            const nb::kwargs& words) {
    const Workload workload = workload_of(compute, words);
    const Method chosen = method_named(method);
    const nb::gil_scoped_release others_run;
    return to_json(lapwing::sensitivity(profile, workload, chosen));
}

/// An environment as a profile document has it: value and tolerance, by indicator.
using EnvironmentDict = std::map<std::string, std::map<std::string, double>>;

EnvironmentDict dict_of(const Environment& environment) {
    EnvironmentDict dict;
    for (const auto& each : environment.indicators)
        dict[each.name] = {{"value", each.value}, {"tolerance", each.tolerance}};
    return dict;
}

std::vector<Environment> environments_of(const std::vector<EnvironmentDict>& dicts) {
    std::vector<Environment> environments;
    for (const auto& dict : dicts) {
        Environment& environment = environments.emplace_back();
        for (const auto& [name, indicator] : dict)
            environment.indicators.push_back(
                {name, indicator.at("value"), indicator.at("tolerance")});
    }
    return environments;
}

void bind_environment(nb::module_& module) {
    module.def(
        "best_environment",
        [](const std::vector<EnvironmentDict>& all) {
            return dict_of(best_of(environments_of(all)));
        },
        "environments"_a, "The best value of each indicator in any of the environments.");
    module.def(
        "near_best_environment",
        [](const std::vector<EnvironmentDict>& all, std::size_t least) {
            nb::typed<nb::list, bool> counts;
            for (const bool each : near_best(environments_of(all), least)) counts.append(each);
            return counts;
        },
        "environments"_a, "least"_a,
        "Which environments count: those comparable with the best of all, and in any case the "
        "`least` nearest to it.");
}

void bind_profile(nb::module_& module) {
    module.def("upgraded_profile", &upgraded, "document"_a,
               "A profile document of any schema version, in the present form. What is misshapen "
               "inside stays as it is. ValueError says in one line why it is no such document.");
    nb::class_<LogGP>(module, "LogGP",
                      "The LogGP parameters of one pair of ranks, in seconds and seconds per byte.")
        .def_ro("L", &LogGP::L, "Wire latency, one way, seconds.")
        .def_ro("o_s", &LogGP::o_s, "Processor overhead of sending a short message, seconds.")
        .def_ro("o_r", &LogGP::o_r, "Processor overhead of receiving a short message, seconds.")
        .def_ro("g", &LogGP::g, "Least time between two short messages, seconds.")
        .def_ro("G", &LogGP::G, "Time per byte of a long message, seconds per byte.")
        .def("__repr__", [](const LogGP& costs) {
            return nb::str("LogGP(L={}, o_s={}, o_r={}, g={}, G={})")
                .format(costs.L, costs.o_s, costs.o_r, costs.g, costs.G);
        });

    label(nb::class_<Profile>(module, "Profile", "The measured costs of a machine."), &profile_of)
        .def_ro("loggp", &Profile::loggp, "The LogGP parameters.")
        .def_ro("error", &Profile::error,
                "Relative error of each LogGP parameter (0.01 is one per cent).")
        .def_prop_ro(
            "environment",
            [](const Profile& profile) {
                std::map<std::string, EnvironmentDict> parts;
                for (const auto& [part, environment] : profile.environment)
                    parts.emplace(part, dict_of(environment));
                return parts;
            },
            "By part of the calibration, the environment it was measured in: value and tolerance "
            "of each indicator. Empty where nobody looked.")
        .def_prop_ro(
            "best_environment",
            [](const Profile& profile) { return dict_of(best_environment(profile)); },
            "The best value of each indicator that any part was measured in.")
        .def_ro("queue_depth", &Profile::queue_depth,
                "Messages outstanding before initiation waits; None, no limit was seen.")
        .def_ro("fingerprint", &Profile::fingerprint,
                "Changes with everything that makes measurements invalid; empty if unknown.")
        .def(
            "difference",
            [](const Profile& profile, const Profile& other) { return difference(profile, other); },
            "other"_a,
            "Why two profiles are not of the same machine, in words; empty if they are, as far as "
            "they say.")
        .def_ro("warnings", &Profile::warnings, "What disturbed the measurement.");
}

void bind_plan(nb::module_& module) {
    label(nb::class_<Plan>(module, "Plan",
                           "How to run a workload: its messages, and how many are in flight."),
          &plan_of)
        .def_prop_ro(
            "messages", [](const Plan& plan) { return plan.messages.list(); },
            "Message sizes in order, bytes. Each access makes a new list: keep it.")
        .def_prop_ro(
            "count", [](const Plan& plan) { return plan.messages.count(); }, "Number of messages.")
        .def_prop_ro(
            "grain", [](const Plan& plan) { return plan.messages.grain(); },
            "Bytes; every message but the last is a multiple of it.")
        .def_prop_ro(
            "fingerprint", [](const Plan& plan) { return plan.messages.fingerprint(); },
            "A hash of the message sizes, the same on every machine.")
        .def_ro("window", &Plan::window, "Messages in flight.")
        .def_ro("burst", &Plan::burst,
                "Messages initiated back to back (the paper's template E); 0, one by one.")
        .def_ro("pace", &Plan::pace,
                "Seconds per byte that a sender waits between messages; 0, none.")
        .def_ro("poll_interval", &Plan::poll_interval,
                "Seconds between polls while computing; 0, no polling.")
        .def_ro("staggered", &Plan::staggered,
                "Whether rank r begins with peer r + 1; otherwise all begin with the same one.")
        .def_prop_ro(
            "order", [](const Plan& plan) { return name(plan.order); },
            "Order of the peers: contiguous, all messages of one peer and then of the next; or "
            "interleaved, one message of each peer in turn.")
        .def_ro("tile", &Plan::tile, "Number of grains in most messages.")
        .def_ro("transport", &Plan::transport,
                "How messages move: two-sided, put, get or collective.")
        .def_ro("transport_reason", &Plan::transport_reason, "Why this transport.")
        .def_prop_ro(
            "packing", [](const Plan& plan) { return name(plan.packing); },
            "How strided data is sent: none, derived, copy or blocked.")
        .def_prop_ro(
            "bound", [](const Plan& plan) { return name(plan.bound); }, "What limits the plan.")
        .def_ro("predicted", &Plan::predicted, "Predicted seconds of the run.")
        .def_ro("limit", &Plan::limit, "Lower bound of the seconds, for any choice of messages.")
        .def_ro("blocking", &Plan::blocking,
                "Predicted seconds of all communication followed by all computation.");

    module.def("plan", &plan_for, "profile"_a, nb::kw_only(), "compute"_a, "method"_a, "workload"_a,
               nb::sig("def plan(profile: Profile, *, compute: float, method: str, "
                       "**workload: object) -> Plan"),
               "The plan of a workload whose members are all given. Raises ValueError if it is "
               "impossible.");
    module.def(
        "sensitivity", &sensitivity_for, "profile"_a, nb::kw_only(), "compute"_a, "method"_a,
        "workload"_a,
        nb::sig("def sensitivity(profile: Profile, *, compute: float, method: str, "
                "**workload: object) -> str"),
        "How much that plan loses if its inputs are wrong, as a JSON document. Raises as `plan`.");
}

}  // namespace
}  // namespace lapwing::python

NB_MODULE(_core, module) {
    module.doc() = "The pure modules of Lapwing: profiles, plans, predictions and schedules.";
    lapwing::python::bind_profile(module);
    lapwing::python::bind_environment(module);
    lapwing::python::bind_plan(module);
    lapwing::python::bind_peer_sequence(module);
    lapwing::python::bind_tuner(module);
    lapwing::python::bind_fft(module);
    lapwing::python::bind_predict(module);
    lapwing::python::bind_simulate(module);
    lapwing::python::bind_record(module);
    lapwing::python::bind_replay(module);
}

#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <new>
#include <string>
#include <string_view>

namespace lapwing::python {

/// A method of `Labelled`, in python/lapwing/results/labelled.py.
inline nanobind::object of_labelled(const char* method) {
    return nanobind::module_::import_("lapwing.results.labelled").attr("Labelled").attr(method);
}

/// Gives a class what all results have: it is written as a JSON document and read from one, equal
/// and pickled by that, and shown as `Labelled` in Python does. `read`: from a document; throws
/// `nanobind::value_error` with one line where it is none.
template <class Result, class Read>
nanobind::class_<Result> label(nanobind::class_<Result> named, Read read) {
    namespace nb = nanobind;
    named
        .def_static("from_json", read, nb::arg("document"),
                    "Read its document. Raises ValueError with one line about the fault.")
        .def(
            "to_json", [](const Result& self) { return to_json(self); },
            "It as a JSON document, as its schema describes it.")
        .def_prop_ro(
            "document",
            [](const Result& self) {
                return nb::module_::import_("json").attr("loads")(to_json(self));
            },
            nb::sig("def document(self) -> dict[str, Any]"),
            "The same as a dict. Each access makes it anew: keep it.")
        .def("__getstate__", [](const Result& self) { return to_json(self); })
        .def("__setstate__",
             [read](Result& self, const std::string& document) {
                 new (&self) Result(read(document));
             })
        .def(
            "__eq__",
            [](const Result& self, const nb::object& other) {
                return nb::isinstance<Result>(other) &&
                       to_json(self) == to_json(nb::cast<const Result&>(other));
            },
            nb::arg().none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__",
             [](const Result& self) { return std::hash<std::string>()(to_json(self)) >> 1U; })
        .def(
            "__repr__", [](const nb::handle& self) { return of_labelled("__repr__")(self); },
            nb::sig("def __repr__(self) -> str"))
        .def(
            "_repr_html_", [](const nb::handle& self) { return of_labelled("_repr_html_")(self); },
            nb::sig("def _repr_html_(self) -> str"))
        .def(
            "to_pandas", [](const nb::handle& self) { return of_labelled("to_pandas")(self); },
            nb::sig("def to_pandas(self) -> Any"), "Its table, a DataFrame of pandas.")
        .def(
            "to_xarray", [](const nb::handle& self) { return of_labelled("to_xarray")(self); },
            nb::sig("def to_xarray(self) -> Any"), "Its grid, a Dataset of xarray.");
    return named;
}

}  // namespace lapwing::python

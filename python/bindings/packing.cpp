#include "packing.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>

#include <cstdint>
#include <utility>

#include "lapwing/model/packing.hpp"
#include "lapwing/profile/profile.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace lapwing::python {
namespace {

/// What one message takes as a derived type, and packed by hand, seconds.
std::pair<double, double> packing(const Profile& profile, std::uint64_t size,
                                  std::uint64_t stride) {
    if (!profile.log3p || profile.log3p->strides.empty())
        throw nb::value_error(
            "the profile does not say what strided data costs (log3p): lapwing calibrate --only "
            "log3p measures it");
    const auto taken = model::packing(*profile.log3p, static_cast<double>(size),
                                      static_cast<double>(stride));
    return {taken.derived, taken.packed};
}

}  // namespace

void bind_packing(nb::module_& module) {
    module.def("packing", &packing, "profile"_a, nb::kw_only(), "size"_a, "stride"_a,
               "Seconds one strided message takes as a derived type, and packed by hand.");
}

}  // namespace lapwing::python

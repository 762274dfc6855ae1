#pragma once

#include "lapwing/model/log3p.hpp"
#include "lapwing/model/lognp.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing::model {

/// Memory logP: `f(s,1)_0 + f(s,d)_0 + L + f(s,1)_2 + f(s,d)_2` seconds (Cameron, Sun 2003; Cameron
/// 2007, section 5). These are the copies out of the source's memory and into the target's, and the
/// latency between. Each copy has the time of contiguous data (`o`) and the extra time of the
/// stride (`l`).
[[nodiscard]] constexpr double memory_logp(const Transfer& source, double L,
                                           const Transfer& target) {
    return source.o + source.l + L + target.o + target.l;
}

/// The copy of `s` bytes that lie `d` bytes apart: `o` is `T_mem(s)`, `l` the extra time of packing
/// by hand.
[[nodiscard]] inline Transfer memory_copy(const Log3P& table, double s, double d) {
    if (table.sizes.empty()) return {};
    const double beyond = s > static_cast<double>(table.sizes.back())
                              ? s / static_cast<double>(table.sizes.back())
                              : 1;
    const double copy = beyond * interpolate(table.sizes, table.T_mem, s);
    const double packed = strided(table, table.packing, s, d, copy);
    return {.o = copy, .l = packed > copy ? packed - copy : 0};
}

}  // namespace lapwing::model

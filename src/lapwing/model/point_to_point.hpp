#pragma once

#include "lapwing/profile/profile.hpp"

namespace lapwing::model {

/// LogP: `o_s + L + o_r` seconds for one short message (Culler 1993).
[[nodiscard]] constexpr double logp(const LogGP& p) { return p.o_s + p.L + p.o_r; }

/// LogGP: `o_s + L + o_r + (m - 1) G` seconds for one message of `m >= 1` bytes (Alexandrov 1997).
[[nodiscard]] constexpr double loggp(const LogGP& p, double m) {
    return p.o_s + p.L + p.o_r + (m - 1) * p.G;
}

}  // namespace lapwing::model

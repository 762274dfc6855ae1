#pragma once

#include "lapwing/profile/fields.hpp"

namespace lapwing {

/// The LogGP parameters of one pair of ranks (Culler 1993, Alexandrov 1997). All in seconds,
/// G in seconds per byte. `o_s` and `o_r` are those of a message of at most 8 bytes.
struct LogGP {
    double L = 0;    ///< wire latency, one way
    double o_s = 0;  ///< processor overhead of a send
    double o_r = 0;  ///< processor overhead of a receive
    double g = 0;    ///< least time between two short messages
    double G = 0;    ///< time per byte of a long message

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("L", self.L, fields::Cost{});
        visit("o_s", self.o_s, fields::Cost{});
        visit("o_r", self.o_r, fields::Cost{});
        visit("g", self.g, fields::Cost{});
        visit("G", self.G, fields::Cost{});
    }
};

}  // namespace lapwing

#pragma once

#include <cstdint>
#include <vector>

#include "lapwing/profile/fields.hpp"

namespace lapwing {

/// Parameterised LogP as LogMPI measures it (Kielmann 2000; March 3.1). `model::loggp` converts.
struct PLogP {
    double L = 0;                      ///< L', end to end, seconds: T(m) = L' + g'(m)
    std::vector<std::uint64_t> sizes;  ///< m, bytes, increasing
    std::vector<double> send;          ///< os(m), seconds [size]
    std::vector<double> receive;       ///< or(m), seconds [size]
    std::vector<double> gap;           ///< g'(m), seconds between messages [size]

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("L", self.L, fields::Cost{});
        visit("sizes", self.sizes, fields::Axis{});
        visit("send", self.send, fields::Column{self.sizes.size()});
        visit("receive", self.receive, fields::Column{self.sizes.size()});
        visit("gap", self.gap, fields::Column{self.sizes.size()});
    }
};

}  // namespace lapwing

#pragma once

#include <cstdint>
#include <vector>

#include "lapwing/profile/fields.hpp"

namespace lapwing {

/// Overhead of sending and receiving against message size and burst (Iancu 2.1, figures 1 and 2).
struct Overhead {
    std::vector<std::uint64_t> sizes;       ///< bytes, increasing
    std::vector<int> bursts;                ///< messages initiated back to back, increasing
    std::vector<std::vector<double>> send;  ///< o_s(S, b), seconds a message: [size][burst]
    std::vector<double> receive;            ///< o_r(S), seconds a message: [size]

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("sizes", self.sizes, fields::Axis{});
        visit("bursts", self.bursts, fields::Axis{});
        visit("send", self.send, fields::Grid{self.sizes.size(), self.bursts.size()});
        visit("receive", self.receive, fields::Column{self.sizes.size()});
    }
};

}  // namespace lapwing

#pragma once

#include <cstdint>
#include <vector>

#include "lapwing/profile/fields.hpp"

namespace lapwing {

/// Bandwidth against message size, bytes a second (Iancu 2.1, figure 3); 0 where it is unknown.
struct Bandwidth {
    std::vector<std::uint64_t> sizes;    ///< bytes, increasing
    std::vector<double> unidirectional;  ///< a flood one way
    std::vector<double> bidirectional;   ///< floods both ways at once, the sum of the two

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("sizes", self.sizes, fields::Axis{});
        visit("unidirectional", self.unidirectional, fields::Column{self.sizes.size()});
        visit("bidirectional", self.bidirectional, fields::Column{self.sizes.size()});
    }
};

}  // namespace lapwing

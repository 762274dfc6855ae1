#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lapwing/profile/fields.hpp"
#include "lapwing/profile/loggp.hpp"

namespace lapwing {

/// LogGP and bandwidth of a further pair of ranks: the one within a node, or one that the user
/// named.
struct PairCosts {
    std::string name;        ///< "within a node", "between nodes", or the two ranks: "0,5"
    std::vector<int> ranks;  ///< the two, in MPI_COMM_WORLD
    LogGP loggp;
    LogGP error;                          ///< relative error of each parameter of `loggp`
    std::vector<std::uint64_t> sizes;     ///< bytes, increasing
    std::vector<double> half_round_trip;  ///< seconds [size]
    std::vector<double> bandwidth;        ///< of a flood one way, bytes a second [size]; 0: unknown
    std::vector<double> bidirectional{};  ///< of floods both ways, the sum; empty: unknown

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("name", self.name, fields::Free{});
        visit("ranks", self.ranks, fields::Free{});
        visit("loggp", self.loggp, fields::Free{});
        visit("error", self.error, fields::Free{});
        visit("sizes", self.sizes, fields::Axis{});
        visit("half_round_trip", self.half_round_trip, fields::Column{self.sizes.size()});
        visit("bandwidth", self.bandwidth, fields::Column{self.sizes.size()});
        visit("bidirectional", self.bidirectional, fields::OptionalColumn{self.sizes.size()});
    }
};

}  // namespace lapwing

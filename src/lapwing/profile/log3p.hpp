#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lapwing/profile/fields.hpp"

namespace lapwing {

/// log_3P: what the middleware and the network each take of a message, contiguous and strided
/// (Cameron, Ge, Sun 2007). T(s, d) = o_mw(s) + l_mw(s, d) + o_net(s), its equation 6.
struct Log3P {
    std::vector<std::uint64_t> sizes;    ///< s, bytes of data, increasing
    std::vector<std::uint64_t> strides;  ///< d, bytes from one element to the next, increasing
    std::uint64_t element = 0;           ///< bytes of data at each stride
    std::vector<double> T_mem;           ///< a memory copy, seconds [size]
    std::vector<double> o_mw;            ///< middleware, contiguous: to oneself less T_mem [size]
    std::vector<double> o_net;           ///< network: `peer` less o_mw, or 0 [size]
    std::vector<double> peer;            ///< to a peer, side by side, as measured [size]
    std::vector<std::vector<double>> l_mw;  ///< middleware, what the stride adds [size][stride]
    /// Packing by hand, or unpacking: the mean of both [size][stride].
    std::vector<std::vector<double>> packing;
    std::vector<std::vector<double>> remote;  ///< to a peer, strided, as measured [size][stride]
    /// To a peer, packed and unpacked by hand, as measured: `o_mw + o_net + 2 packing` where none
    /// of these overlap [size][stride].
    std::vector<std::vector<double>> packed;
    /// To a peer, side by side, as a broadcast that both ranks begin at one moment after a rest,
    /// and not in turn with messages the other way [size].
    std::vector<double> isolated;
    std::vector<std::vector<double>> isolated_strided;  ///< the same strided [size][stride]
    std::vector<std::vector<double>> isolated_packed;   ///< and packed by hand [size][stride]
    /// The log_3P sum over what was measured to a peer [size][stride]: above 1 by as much as it
    /// misses, where packing overlaps transmission.
    std::vector<std::vector<double>> ratio;
    /// The size from which on o_mw + l_mw exceeds o_net, between two measured ones in a straight
    /// line, bytes [stride]; the smallest measured where it does there; null where it never does.
    std::vector<std::optional<std::uint64_t>> crossover;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        const auto rows = self.sizes.size();
        const auto columns = self.strides.size();
        visit("sizes", self.sizes, fields::Axis{});
        visit("strides", self.strides, fields::Axis{});
        visit("element", self.element, fields::Free{});
        visit("T_mem", self.T_mem, fields::Column{rows});
        visit("o_mw", self.o_mw, fields::Column{rows});
        visit("o_net", self.o_net, fields::Column{rows});
        visit("peer", self.peer, fields::Column{rows});
        visit("l_mw", self.l_mw, fields::Grid{rows, columns});
        visit("packing", self.packing, fields::Grid{rows, columns});
        visit("remote", self.remote, fields::Grid{rows, columns});
        visit("packed", self.packed, fields::Grid{rows, columns});
        visit("isolated", self.isolated, fields::Column{rows});
        visit("isolated_strided", self.isolated_strided, fields::Grid{rows, columns});
        visit("isolated_packed", self.isolated_packed, fields::Grid{rows, columns});
        visit("ratio", self.ratio, fields::Grid{rows, columns});
        visit("crossover", self.crossover, fields::Counts{columns});
    }
};

}  // namespace lapwing

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lapwing/profile/fields.hpp"

namespace lapwing {

/// log_3P: the time of the middleware and that of the network for a message, contiguous and strided
/// (Cameron, Ge, Sun 2007). T(s, d) = o_mw(s) + l_mw(s, d) + o_net(s), its equation 6. All times in
/// seconds.
struct Log3P {
    std::vector<std::uint64_t> sizes;    ///< s, bytes of data, increasing
    std::vector<std::uint64_t> strides;  ///< d, bytes from one element to the next, increasing
    std::uint64_t element = 0;           ///< bytes of data at each stride
    std::vector<double> T_mem;           ///< a memory copy [size]
    std::vector<double> o_mw;            ///< middleware, contiguous: to itself, less T_mem [size]
    std::vector<double> o_net;           ///< network: `peer` less o_mw, or 0 [size]
    std::vector<double> peer;            ///< measured to a peer, contiguous [size]
    std::vector<std::vector<double>> l_mw;  ///< middleware, extra time of the stride [size][stride]
    /// Packing or unpacking by hand: the mean of both [size][stride].
    std::vector<std::vector<double>> packing;
    std::vector<std::vector<double>> remote;  ///< measured to a peer, strided [size][stride]
    /// Measured to a peer, packed and unpacked by hand: `o_mw + o_net + 2 packing` if none of these
    /// overlap [size][stride].
    std::vector<std::vector<double>> packed;
    // The tables above are of ping-pongs. An isolated message is a broadcast that two idle ranks
    // begin at the same moment.
    /// An isolated message to a peer, contiguous [size].
    std::vector<double> isolated;
    std::vector<std::vector<double>> isolated_strided;  ///< the same, strided [size][stride]
    std::vector<std::vector<double>> isolated_packed;   ///< the same, packed by hand [size][stride]
    /// The log_3P sum divided by `remote` [size][stride]: above 1 if packing overlaps transmission,
    /// which the sum does not know.
    std::vector<std::vector<double>> ratio;
    /// The size in bytes from which o_mw + l_mw exceeds o_net, interpolated between measured sizes
    /// [stride]. It is the smallest measured size if o_net is exceeded there, and null if it never
    /// is.
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

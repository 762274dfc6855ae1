#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lapwing/profile/fields.hpp"

namespace lapwing {

/// The least number of receives to have posted for eager messages. MPI copies a message once more
/// if it arrives before its receive.
inline constexpr int min_preposted_receives = 8;

/// The message sizes at which the transport changes its protocol, and how much may be outstanding.
struct Protocol {
    /// The largest message before each change of protocol (say from eager to rendezvous), bytes.
    std::vector<std::uint64_t> switches;
    /// How much longer half a round trip is right above each switch, seconds.
    std::vector<double> switch_costs;
    std::string switches_reason;  ///< why there are none
    /// Bytes outstanding above which bandwidth drops (Iancu 3.2: 4 MB on Elan).
    std::optional<std::uint64_t> outstanding;
    std::string outstanding_reason;  ///< why there is none
    /// Messages outstanding above which completion slows down. Initiation does not show it.
    std::optional<int> completion_depth;
    std::string completion_depth_reason;  ///< why there is none
    /// The largest eager message, which moves before its receive is posted, bytes; 0 if there is
    /// none. Empty if all measured sizes are eager.
    std::optional<std::uint64_t> eager;
    /// Whether eager messages overtake rendezvous messages that were sent before them and still
    /// wait for their receive, or share the wire with them.
    bool eager_overtakes = false;
    /// The largest message whose send completes before its receive is posted, bytes; 0 if there is
    /// none. Empty if all measured sizes do.
    std::optional<std::uint64_t> buffered;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("switches", self.switches, fields::Axis{});
        visit("switch_costs", self.switch_costs, fields::Column{self.switches.size(), true});
        visit("switches_reason", self.switches_reason, fields::Free{});
        visit("outstanding", self.outstanding, fields::Free{});
        visit("outstanding_reason", self.outstanding_reason, fields::Free{});
        visit("completion_depth", self.completion_depth, fields::Free{});
        visit("completion_depth_reason", self.completion_depth_reason, fields::Free{});
        visit("eager", self.eager, fields::Optional{});
        visit("eager_overtakes", self.eager_overtakes, fields::Optional{});
        visit("buffered", self.buffered, fields::Optional{});
    }
};

/// How much longer a message of `size` bytes takes because it waits for its receive (rendezvous),
/// seconds.
[[nodiscard]] double rendezvous_cost(const std::optional<Protocol>& protocol, std::uint64_t size);

}  // namespace lapwing

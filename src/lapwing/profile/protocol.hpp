#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lapwing/profile/fields.hpp"

namespace lapwing {

/// Receives to have posted, at the least, where messages leave before theirs is: what comes earlier
/// is copied once more.
inline constexpr int min_preposted_receives = 8;

/// Where the transport changes how it moves a message, and how much it takes at once.
struct Protocol {
    /// The largest message, bytes, before each change, from eager to rendezvous above all.
    std::vector<std::uint64_t> switches;
    std::vector<double>
        switch_costs;  ///< what half a round trip takes longer right behind each, seconds
    std::string switches_reason;  ///< why there are none
    /// Bytes outstanding past which bandwidth drops (Iancu 3.2: 4 MB on Elan).
    std::optional<std::uint64_t> outstanding;
    std::string outstanding_reason;  ///< why there is none
    /// Messages outstanding past which *completion* slows down: a queue that initiation hides.
    std::optional<int> completion_depth;
    std::string completion_depth_reason;  ///< why there is none
    /// The largest message that moves before its receive is posted, bytes; 0: none does. Empty
    /// where all do that were looked at.
    std::optional<std::uint64_t> eager;
    /// Whether those overtake longer ones that were sent before them and still wait for word of
    /// their receive, or share the wire with them.
    bool eager_overtakes = false;
    /// The largest message whose send ends before its receive is posted, bytes; 0: none does. Empty
    /// where all do that were looked at.
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

}  // namespace lapwing

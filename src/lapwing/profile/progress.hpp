#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lapwing/profile/fields.hpp"

namespace lapwing {

/// How much of a message advances while the program computes, by its size.
struct Advance {
    std::vector<std::uint64_t> sizes;  ///< bytes, increasing
    std::vector<double> unattended;    ///< share of the transfer hidden without a call: 0 … 1
    std::vector<double> polled;        ///< the same with the transport polled meanwhile
    std::vector<int> window;           ///< messages in flight that hid most, unattended

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("sizes", self.sizes, fields::Axis{});
        visit("unattended", self.unattended, fields::Column{self.sizes.size()});
        visit("polled", self.polled, fields::Column{self.sizes.size()});
        visit("window", self.window, fields::Counts{self.sizes.size()});
    }
};

/// What a message costs ranks that compute, beyond their computation: overheads, what the system
/// takes of the processor, and what is not hidden.
struct Exposure {
    std::vector<std::uint64_t> sizes;    ///< bytes, increasing
    std::vector<double> exposed;         ///< seconds a message, nothing called meanwhile
    std::vector<double> exposed_polled;  ///< the same with the transport polled meanwhile
    std::vector<int> window;             ///< messages in flight at which that is least, not polled

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("sizes", self.sizes, fields::Axis{});
        visit("exposed", self.exposed, fields::Column{self.sizes.size()});
        visit("exposed_polled", self.exposed_polled, fields::Column{self.sizes.size()});
        visit("window", self.window, fields::Counts{self.sizes.size()});
    }
};

/// Does a message advance while the program computes and calls nothing? Measured on streams whose
/// sender attends to them, with as much computation as communication, against what the LogGP
/// parameters say that would take.
struct Progress : Advance {
    double poll_interval = 0;  ///< seconds between the polls
    /// A rank that receives and does not send, in calls and in waiting for what stands still
    /// meanwhile, with half as much computation again as keeps up the flood. None: taken to be the
    /// receive overhead.
    std::optional<Exposure> receiving;
    /// Two ranks that both send, receive and compute, with as much computation as the transfer
    /// takes, each message with one that goes the other way. None: taken to be as one way.
    std::optional<Exposure> both_ways;
    /// With half as much computation, which the wire outlasts.
    std::optional<Exposure> both_ways_half;
    /// Where all messages are initiated before the computation, and awaited after it.
    std::optional<Exposure> both_ways_loose;
    /// What the system takes of a computing rank's processor for a byte that is under way
    /// meanwhile, beyond what calls take (O of LogGOPS). Seconds per byte.
    double O_s = 0;     ///< that the rank sends
    double O_r = 0;     ///< that it receives
    double O_both = 0;  ///< that it sends while it receives one

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        Advance::fields(self, visit);
        visit("poll_interval", self.poll_interval, fields::Cost{});
        visit("receiving", self.receiving, fields::LaterSection{});
        visit("both_ways", self.both_ways, fields::LaterSection{});
        visit("both_ways_half", self.both_ways_half, fields::LaterSection{});
        visit("both_ways_loose", self.both_ways_loose, fields::LaterSection{});
        visit("O_s", self.O_s, fields::LaterCost{});
        visit("O_r", self.O_r, fields::LaterCost{});
        visit("O_both", self.O_both, fields::LaterCost{});
    }
};

}  // namespace lapwing

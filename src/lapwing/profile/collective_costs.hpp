#pragma once

#include "lapwing/profile/fields.hpp"

namespace lapwing {

/// What a collective costs a rank besides its messages, and how far from a prediction measurements
/// are. Told by measured collectives, since two ranks do not show it.
struct CollectiveCosts {
    /// Of combining what has arrived with a rank's own data, as a reduction does: seconds per byte.
    double combine = 0;
    /// Of copying a rank's own data from where the program has it to where the collective needs it:
    /// seconds per byte.
    double copy = 0;
    /// Of bytes in messages whose blocks do not lie together, at either end: seconds per byte.
    double pack = 0;
    /// How much later the last rank is done than messages alone tell: ranks begin one after
    /// another, and what is reported is the time of the slowest. Seconds: `skew +
    /// skew_per_doubling log2 P`.
    double skew = 0;
    double skew_per_doubling = 0;
    /// Nine of ten measured times lie between these multiples of the prediction.
    double low = 1;
    double high = 1;

    template <class Self, class Visit>
    static void fields(Self& self, Visit&& visit) {
        visit("combine", self.combine, fields::Cost{});
        visit("copy", self.copy, fields::Cost{});
        visit("pack", self.pack, fields::Cost{});
        visit("skew", self.skew, fields::Cost{});
        visit("skew_per_doubling", self.skew_per_doubling, fields::Cost{});
        visit("low", self.low, fields::Cost{});
        visit("high", self.high, fields::Cost{});
    }
};

}  // namespace lapwing

#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "lapwing/calibrate/statistics/estimate.hpp"
#include "lapwing/pipeline/window/message_window.hpp"

namespace lapwing {

/// How a program lets its messages progress while it computes.
struct ProgressMode {
    const char* name;
    int window;   ///< messages in flight
    bool polled;  ///< whether the oldest message is tested between blocks of the computation
};

/// No call meanwhile, and the two remedies of a program whose transport then stops.
inline constexpr std::array<ProgressMode, 3> progress_modes = {
    {{"unattended", 1, false}, {"polled", 1, true}, {"two_in_flight", 2, false}}};

/// The same messages alone, the same computation alone, and both at once.
struct OverlapShare {
    Estimate communication;  ///< seconds
    Estimate computation;    ///< seconds
    /// Both at once over one after the other: T_both / (T_communication + T_computation). Each
    /// sample times all three in turn, so that a drift of the machine's speed meets them all.
    Estimate together;
    double poll_interval = 0;  ///< seconds, about; 0: not polled

    /// Seconds of both at once.
    [[nodiscard]] double both() const { return together.median * one_after_the_other(); }
    /// The share of the communication that the computation hides. It is 1 if both at once take as
    /// long as the longer, 0 if they take as long as one after the other, below 0 if they disturb
    /// each other. (T_communication + T_computation - T_both) / min(T_communication, T_computation)
    [[nodiscard]] double share() const { return (1 - together.median) * scale(); }
    /// The absolute error of the share.
    [[nodiscard]] double error() const { return together.error * together.median * scale(); }

  private:
    [[nodiscard]] double one_after_the_other() const {
        return communication.median + computation.median;
    }
    [[nodiscard]] double scale() const {
        const double hideable = std::min(communication.median, computation.median);
        return hideable > 0 ? one_after_the_other() / hideable : 0;
    }
};

/// Blocks of a computation between two polls, if the computation takes `seconds` and a block
/// `block` seconds: about sixty polls while a message is under way. More do not help, and each
/// costs.
inline std::uint64_t blocks_between_polls(double seconds, double block) {
    constexpr double calls = 64;
    return static_cast<std::uint64_t>(std::max(1.0, seconds / block / calls));
}

/// Starts `count` messages, at most `window` in flight, and computes after each. `start(index)`
/// returns the request of a message. `compute(progress)` runs the computation of one step and may
/// call `progress()`, which lets the oldest message progress. Returns when all requests are
/// complete.
template <class Start, class Compute>
void compute_meanwhile(int window, std::uint64_t count, Start&& start, Compute&& compute) {
    MessageWindow<decltype(start(count))> flight(window, 0);
    for (std::uint64_t i = 0; i < count; ++i) {
        flight.make_room();
        flight.launch([&] { return start(i); });
        compute([&] { flight.progress(); });
    }
    flight.drain();
}

}  // namespace lapwing

#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "lapwing/model/stream.hpp"
#include "lapwing/profile/profile.hpp"
#include "lapwing/simulate/wire.hpp"

namespace lapwing::simulate {

/// What a rank that computes does: in a two-way pattern all ranks do the same at the same time,
/// each with other partners, so that one stands for all. It sends as many messages as it receives,
/// or does one of the two.
struct Exchange {
    /// Of a rank that only receives, `o_s` is that of its senders; of one that only sends, `o_r`
    /// that of its receivers. `t` is not used.
    model::Stream costs;
    bool sends = true;
    bool receives = true;
    double before = 0;  ///< seconds of computation a byte that its sending waits for
    double after = 0;   ///< seconds of computation a byte that waits for its receiving
    Nic nic = Nic::serialising;
};

/// How an exchange went.
struct Exchanged {
    double seconds = 0;  ///< until all is sent, received and consumed
    /// Whether no rank ever had messages under way to more than two of its peers.
    bool in_step = true;
};

/// Plays messages of `sizes` bytes each, of which at most `window` are in flight: initiated, and
/// not awaited. Every `each` of them go to one peer, and the next to the next.
///
/// With computation before sending it is `pipeline`: the oldest message is awaited and consumed
/// when another is to be made and the window is full. Without, it is `stream`: messages are
/// initiated as soon as the window has room, and the next one is before what has arrived is
/// consumed.
[[nodiscard]] inline Exchanged exchange(const Exchange& x, const std::vector<double>& sizes,
                                        std::size_t window, std::size_t each) {
    Wire wire(x.nic);
    Exchanged result;
    double processor = 0;
    double sender = 0;    // where that is another rank
    double receiver = 0;  // the same
    const std::size_t count = sizes.size();
    std::vector<double> entered(count);
    std::size_t initiated = 0;
    const auto initiate = [&] {
        const double size = sizes[initiated];
        processor += x.before * size;
        (x.sends ? processor : sender) += x.costs.o_s(size);
        const double starts = std::max(processor, sender) + x.costs.L;
        entered[initiated++] = starts;
        wire.enter(starts, x.costs.h + x.costs.G * size);
    };
    const auto await = [&](std::size_t message) {
        processor = std::max(processor, wire.over(message));
        receiver = std::max(receiver, wire.over(message));
        (x.receives ? processor : receiver) += x.costs.o_r(sizes[message]);
    };
    const bool produces = x.before > 0;
    while (initiated < std::min(window, count)) initiate();
    for (std::size_t message = 0; message < count; ++message) {
        await(message);
        if (!produces && initiated < count) initiate();
        processor += x.after * sizes[message];
        if (produces && initiated < count) initiate();
    }
    result.seconds = std::max(processor, x.receives ? 0 : receiver);
    std::size_t oldest = 0;
    for (std::size_t message = 0; message < count && result.in_step; ++message) {
        while (wire.over(oldest) <= entered[message]) ++oldest;
        result.in_step = message / each <= oldest / each + 1;
    }
    return result;
}

}  // namespace lapwing::simulate

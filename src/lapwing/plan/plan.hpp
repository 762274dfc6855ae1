#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lapwing/plan/messages.hpp"
#include "lapwing/plan/peer_order.hpp"
#include "lapwing/plan/workload.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// Who chooses.
enum class Method {
    lapwing,     ///< ours: messages of unequal size, proved equal to the limit where there is one
    paper,       ///< Iancu and Strohmaier 2007: equations 1 to 11 and a discrete search
    paper_size,  ///< the same with an overhead o(S) that does not depend on the burst
};

/// What keeps a plan from being faster.
enum class Bound {
    latency,      ///< the first message's way, which nothing hides
    overhead,     ///< the processor, by what it has to do about messages
    bandwidth,    ///< the busiest wire
    computation,  ///< the processor, by what it computes
    queue,        ///< too few messages may be in flight
    progress,     ///< messages do not advance while nobody calls, or take the processor meanwhile
};

/// How strided data is sent.
enum class Packing {
    none,     ///< it lies side by side
    derived,  ///< by a derived type: the message-passing library packs
    copy,     ///< packed by hand, all of a message at once
    blocked,  ///< packed by hand, block by block, while the blocks before it travel
};

/// The next best way to run a workload, of another kind than the plan.
struct RunnerUp {
    std::string what;      ///< in words; empty where there is no other way
    double predicted = 0;  ///< seconds
};

/// How to run a workload: what to send in which pieces, and how far to run ahead.
struct Plan {
    Workload workload;
    Method method = Method::lapwing;
    /// Of a rank with one of its peers (all peers alike); of a collective or of buckets, what a
    /// rank gives to each collective.
    Messages messages;
    /// Messages in flight: of all peers together; of a congested pattern, of each of the others,
    /// and so many times as many as there are of them at the one.
    int window = 1;
    int burst = 0;                 ///< b of template E; 0 where messages are initiated one by one
    double pace = 0;               ///< seconds per byte a sender leaves between messages; 0: none
    double poll_interval = 0;      ///< seconds between polls while computing; 0: no polling
    std::string_view poll_reason;  ///< why so, for people
    double predicted = 0;          ///< seconds
    double limit = 0;              ///< seconds no choice of messages can beat
    double blocking = 0;           ///< seconds of schedule A, predicted
    Bound bound = Bound::bandwidth;
    PeerOrder order = PeerOrder::contiguous;
    bool staggered = true;   ///< rank r begins with peer r + 1; otherwise all with the same
    std::uint64_t tile = 1;  ///< grains in most messages
    std::string_view transport = "two-sided";  ///< or "put", "get", "collective"
    std::string_view transport_reason;         ///< why so, for people
    Packing packing = Packing::none;
    RunnerUp runner_up;
};

/// The plan for a workload on a measured machine. Never communicates; a stream of any length takes
/// microseconds. "Do not split" and "do not overlap" are among its choices: one message.
/// Where the computation is uncertain, or the profile's G, by a per cent or more, it is the plan
/// that loses least over what they may be. Throws `std::invalid_argument` for an impossible
/// workload (see `complete`), for a profile that `validate` refuses, and for what its method has no
/// model of.
[[nodiscard]] Plan plan(const Profile& profile, const Workload& workload,
                        Method method = Method::lapwing);

}  // namespace lapwing

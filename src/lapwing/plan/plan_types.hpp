#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lapwing/plan/candidate.hpp"
#include "lapwing/plan/workload.hpp"

namespace lapwing {

/// Whose planner chooses.
enum class Method {
    lapwing,  ///< this library's: messages of unequal size, equal to the limit where there is one
    paper,    ///< Iancu and Strohmaier 2007: equations 1 to 11 and a discrete search
    paper_size,           ///< the same with an overhead o(S) that does not depend on the burst
    paper_communication,  ///< as if communication took longer: equations 5, 10 and 11
    paper_computation,    ///< as if computation took longer: equations 6 and 7
    paper_bursts,  ///< an all-to-all's equations minimised over the burst, too; the paper has b = 1
};

/// What keeps a plan from being faster.
enum class Bound {
    latency,      ///< the way of the first message, which nothing hides
    overhead,     ///< the processor, by message overheads
    bandwidth,    ///< the busiest wire
    computation,  ///< the processor, by computation
    queue,        ///< too few messages may be in flight
    progress,     ///< messages do not advance without calls, or take the processor meanwhile
};

/// How strided data is sent.
enum class Packing {
    none,     ///< it has no gaps
    derived,  ///< with a derived data type: the message-passing library packs
    copy,     ///< packed by hand, all of a message at once
    blocked,  ///< packed by hand, block by block, while earlier blocks travel
};

/// The best way to run a workload of another kind than the plan.
struct RunnerUp {
    std::string what;      ///< in words; empty where there is no other way
    double predicted = 0;  ///< seconds
};

/// How to run a workload, how long that takes, and why this way was chosen. Times are predictions,
/// seconds.
struct Plan : Candidate {
    Plan() = default;  // and so no aggregate: a list of messages and window is no plan

    Workload workload;
    Method method = Method::lapwing;
    double pace = 0;               ///< a sender's pause between messages, seconds per byte
    double poll_interval = 0;      ///< between polls while computing, seconds; 0: no polling
    std::string_view poll_reason;  ///< why, for people
    double predicted = 0;
    double limit = 0;     ///< what no choice of messages can beat
    double blocking = 0;  ///< of schedule A: all communication, then all computation
    Bound bound = Bound::bandwidth;
    std::uint64_t tile = 1;                    ///< grains in most messages
    std::string_view transport = "two-sided";  ///< a `MessageTransport`'s name, or "collective"
    std::string_view transport_reason;         ///< why, for people
    Packing packing = Packing::none;
    RunnerUp runner_up;
};

}  // namespace lapwing

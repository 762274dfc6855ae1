#pragma once

#include "lapwing/plan/workload.hpp"
#include "lapwing/profile/profile.hpp"

namespace lapwing {

/// Whether the profile says what messages by `transport` cost.
[[nodiscard]] bool is_measured(const Profile& profile, MessageTransport transport);

/// What a message of a workload (complete) costs that is moved by `transport`, put or get. The
/// profile has the costs of the operations that move the data ("put_notified", "rput" and "rget" of
/// "rma", "put" and "get" of "ucx", "put_nbi" of "shmem", "pready" of "partitioned"). The offers
/// before them and the answers behind them are short messages: MPI's, or puts where messages are
/// UCX's or OpenSHMEM's.
///
/// The memory of a stream is offered once (`OffersStreams`); each message of a halo is a stream:
///
///     put:  the sender puts. The receiver is told by its interface, or by a counter that is put
///           behind the data (UCX, OpenSHMEM); where MPI has neither, the sender flushes and
///           answers
///     get:  the receiver gets. Where data is computed message by message, each is announced
///
/// - The side that does not move the data pays for the short messages alone, at any size.
/// - The latency of a two-sided message grows by each short message and by the request of a get.
///   For a put that is answered it grows by the way back, too, after which its end is known.
/// - If the side that puts does not compute (`direction` says), it is busy with one message while
///   nothing else moves: a flush waits for all of them.
/// - Where all ranks read, each pays for what it initiates, as if it sent that.
///
/// Throws `std::invalid_argument` for what was not measured.
[[nodiscard]] LinkCosts one_sided_costs(const Profile& profile, const Workload& workload,
                                        MessageTransport transport);

/// Whether messages are answered one by one: whoever moves them waits for each.
[[nodiscard]] bool moves_one_by_one(const Profile& profile, MessageTransport transport);

/// What the offers of streams, and their ends, take besides the messages, in seconds.
struct StreamEnds {
    double before = 0;   ///< until the first message can be initiated
    double offered = 0;  ///< besides; who computes a message before it sends that does so meanwhile
    double after = 0;    ///< when all else is over
};

/// Of a workload (complete).
[[nodiscard]] StreamEnds stream_ends(const Profile& profile, const Workload& workload,
                                     MessageTransport transport);

}  // namespace lapwing

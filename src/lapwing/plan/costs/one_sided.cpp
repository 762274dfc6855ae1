#include "lapwing/plan/costs/one_sided.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "lapwing/plan/names.hpp"
#include "lapwing/profile/find_operation.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing {
namespace {

constexpr double control_message = 8;  // an offer or an answer, bytes

/// Transport and name of the operation that moves the data of a message by itself.
std::pair<std::string_view, std::string_view> one_sided_operation(MessageTransport transport) {
    switch (transport) {
        case MessageTransport::put:
            return {"rma", "rput"};
        case MessageTransport::get:
            return {"rma", "rget"};
        case MessageTransport::ucx_put:
            return {"ucx", "put"};
        case MessageTransport::ucx_get:
            return {"ucx", "get"};
        case MessageTransport::shmem:
            return {"shmem", "put_nbi"};
        case MessageTransport::partitioned:
            return {"partitioned", "pready"};
        default:
            return {};
    }
}

/// Whether ranks tell each other by counters that they put, and not by messages.
bool has_counters(MessageTransport transport) {
    return transport != MessageTransport::put && transport != MessageTransport::get &&
           transport != MessageTransport::partitioned;
}

/// Those of the put that tells a rank of data without its processor: by the interface, over MPI, by
/// the arrival of a partition, or by a counter in its memory.
std::pair<std::string_view, std::string_view> telling_operation(MessageTransport transport) {
    if (transport == MessageTransport::partitioned) return one_sided_operation(transport);
    if (!has_counters(transport)) return {"rma", "put_notified"};
    return one_sided_operation(is_put(transport) ? transport : MessageTransport::ucx_put);
}

/// Null where it was not measured.
const OperationCosts* measured(const Profile& profile,
                               std::pair<std::string_view, std::string_view> operation) {
    const OperationCosts* const found = find_operation(profile, operation.first, operation.second);
    return found != nullptr && found->bandwidth.back() > 0 ? found : nullptr;
}

/// Whether each message is a stream of its own: those of a halo.
bool is_offered_alone(const Workload& workload) {
    return workload.pattern == Pattern::halo && is_independent(workload);
}

/// Processor seconds of the initiator of an operation of size number `size`: its initiation, or,
/// where that is more, what each of a long train takes, since it has to be completed. In a long
/// train an initiation waits for room where interfaces have a queue: plans keep fewer in flight.
double initiator_seconds(const OperationCosts& operation, std::size_t size, bool queued) {
    if (queued) return operation.overhead[size].front();
    return std::max(operation.overhead[size].back(), operation.asymptotic[size]);
}

/// Seconds there and back, without the initiation.
double round_trip_of(const OperationCosts& operation) {
    return std::max(0.0, operation.latency.front() - operation.overhead.front().front());
}

/// Seconds that an operation of size number `size` keeps the wire, and its initiator with it where
/// nothing else moves meanwhile (`alone`). Infinite where its bandwidth was not measured.
double wire_seconds(const OperationCosts& operation, std::size_t size, bool alone) {
    const double wire = static_cast<double>(operation.sizes[size]) / operation.bandwidth[size];
    return wire + (alone ? initiator_seconds(operation, size, false) : 0);
}

/// Seconds per byte of long operations: the slope between the two longest.
double long_message_gap(const OperationCosts& operation, bool alone) {
    const auto& sizes = operation.sizes;
    const std::size_t last = sizes.size() - 1;
    const double longest = wire_seconds(operation, last, alone);
    const double longer = last > 0 ? longest - wire_seconds(operation, last - 1, alone) : 0;
    return longer > 0 ? longer / static_cast<double>(sizes[last] - sizes[last - 1])
                      : longest / static_cast<double>(sizes[last]);
}

}  // namespace

bool is_measured(const Profile& profile, MessageTransport transport) {
    return transport == MessageTransport::two_sided || transport == MessageTransport::any ||
           measured(profile, one_sided_operation(transport)) != nullptr;
}

namespace {

/// The short messages of a pair of ranks, seconds: MPI's, or puts into each other's memory, for
/// which the receiver does nothing.
struct ShortMessage {
    double send;
    double receive;
    double L;

    ShortMessage(const Profile& profile, MessageTransport transport)
        : send(send_overhead(profile, control_message, 1)),
          receive(receive_overhead(profile, control_message)),
          L(profile.loggp.L) {
        const OperationCosts* const put = measured(profile, telling_operation(transport));
        if (!has_counters(transport) || put == nullptr) return;
        send = put->overhead.front().front();
        receive = 0;
        L = round_trip_of(*put) / 2;
    }
    [[nodiscard]] double crossing() const { return send + L + receive; }
};

/// How the messages of a workload are moved, and what each costs its two sides.
struct Transfer {
    const OperationCosts* operation = nullptr;
    bool puts = false;
    bool alone = false;  ///< the mover is busy with one message at a time
    // Seconds of each message:
    double owner = 0;  ///< of the side whose memory is offered
    double mover = 0;  ///< of the other, besides the initiation
    double latency = 0;
    double acknowledgement = 0;
};

/// A put that is not told by the interface is flushed and answered, or a counter is put behind it.
void add_put(Transfer& is, const OperationCosts* telling, const ShortMessage& brief,
             const Workload& workload, MessageTransport transport) {
    if (telling != nullptr) {
        is.mover = has_counters(transport) ? brief.send : 0;
        is.latency = is.acknowledgement = brief.L;
        return;
    }
    const double round_trip = round_trip_of(*is.operation);
    is.alone = workload.direction == Direction::fetch;
    is.owner = brief.receive;
    is.mover = brief.send + (is.alone ? round_trip : 0);
    is.latency = brief.L + (is.alone ? 0 : round_trip);
}

/// A get of what was there, or of what is announced.
void add_get(Transfer& is, const OperationCosts* telling, const ShortMessage& brief,
             const Workload& workload) {
    is.latency = round_trip_of(*is.operation);
    if (workload.direction == Direction::fetch) return;
    is.owner = telling != nullptr ? telling->overhead.front().back() : brief.send;
    is.mover = telling != nullptr ? 0 : brief.receive;
    is.latency += brief.L;
}

Transfer transfer_of(const Profile& profile, const Workload& workload, MessageTransport transport) {
    const ShortMessage brief(profile, transport);
    const OperationCosts* const telling = measured(profile, telling_operation(transport));
    Transfer is{.operation = measured(profile, one_sided_operation(transport)),
                .puts = is_put(transport)};
    if (is.puts && telling != nullptr) is.operation = telling;
    if (is.operation == nullptr)
        throw std::invalid_argument(
            "the profile does not say what a " + std::string(name(transport)) +
            " message costs: lapwing calibrate measures it in its part operations");
    if (is.puts) {
        add_put(is, telling, brief, workload, transport);
    } else {
        add_get(is, telling, brief, workload);
    }
    if (is_offered_alone(workload)) {
        is.mover += brief.receive;
        is.owner += brief.send + (is.puts ? 0 : brief.send + brief.receive);  // the end of each
    }
    return is;
}

/// Whether receivers read what is there before they ask, from one rank or several.
bool is_pulled(const Transfer& transfer, const Workload& workload) {
    return !transfer.puts && workload.direction == Direction::fetch && is_one_way(workload);
}

/// Whether rank 0, of a pattern that goes one way, receives.
bool hub_receives(const Workload& workload) {
    return (workload.direction == Direction::fetch) != (workload.pattern == Pattern::congested);
}

/// What is different about the messages of streams.
OneSidedMessages stream_messages(const ShortMessage& brief, const Workload& workload,
                                 const Transfer& transfer) {
    OneSidedMessages messages{.pulled = is_pulled(transfer, workload),
                              .acknowledgement = transfer.acknowledgement};
    const bool one_way = is_one_way(workload);
    if (one_way && hub_receives(workload) == transfer.puts) {
        messages.offer_interval = brief.send;
    } else {
        messages.offer_receive = brief.receive;
    }
    if (one_way && transfer.puts && workload.direction != Direction::fetch)
        messages.offered = brief.send + brief.L;
    return messages;
}

/// Puts leave at once, and end when that is known. What is read waits for its reader, and who has
/// announced it goes on.
Protocol protocol_of(const Profile& profile, const Transfer& transfer, const Workload& workload,
                     bool pulled) {
    Protocol protocol;
    if (pulled || (!transfer.puts && workload.direction != Direction::fetch)) protocol.eager = 0;
    if (pulled || transfer.puts) protocol.buffered = 0;
    if (profile.protocol) protocol.outstanding = profile.protocol->outstanding;
    return protocol;
}

}  // namespace

LinkCosts one_sided_costs(const Profile& profile, const Workload& workload,
                          MessageTransport transport) {
    const Transfer transfer = transfer_of(profile, workload, transport);
    const OperationCosts& operation = *transfer.operation;
    const bool queued = profile.queue_depth.has_value();
    LinkCosts link;
    link.one_sided = stream_messages(ShortMessage(profile, transport), workload, transfer);
    const bool pulled = link.one_sided.pulled;
    // Where all ranks read, each asks for a message when it would send one.
    const bool sender_moves = transfer.puts || (workload.direction == Direction::fetch && !pulled);
    link.loggp = profile.loggp;
    link.overhead.sizes = link.bandwidth.sizes = operation.sizes;
    link.overhead.bursts = {1};
    for (std::size_t i = 0; i < operation.sizes.size(); ++i) {
        // Who is busy with each message meanwhile is so on the wire.
        const double moves =
            transfer.mover + initiator_seconds(operation, transfer.alone ? 0 : i, queued);
        link.overhead.send.push_back({sender_moves ? moves : transfer.owner});
        link.overhead.receive.push_back(sender_moves ? transfer.owner : moves);
        link.bandwidth.unidirectional.push_back(static_cast<double>(operation.sizes[i]) /
                                                wire_seconds(operation, i, transfer.alone));
    }
    link.loggp.o_s = link.overhead.send.front().front();
    link.loggp.o_r = link.overhead.receive.front();
    link.loggp.L = transfer.latency;
    link.loggp.g = std::max(operation.gap, profile.loggp.g);
    link.loggp.G = long_message_gap(operation, transfer.alone);
    // Both directions at once take as much longer as those of two-sided messages.
    const double both_ways = std::max(1.0, two_way_gap(profile) / profile.loggp.G);
    for (const double rate : link.bandwidth.unidirectional)
        link.bandwidth.bidirectional.push_back(2 * rate / both_ways);
    link.nic = profile.nic;
    link.protocol = protocol_of(profile, transfer, workload, pulled);
    return link;
}

bool moves_one_by_one(const Profile& profile, MessageTransport transport) {
    return is_put(transport) && measured(profile, telling_operation(transport)) == nullptr;
}

StreamEnds stream_ends(const Profile& profile, const Workload& workload,
                       MessageTransport transport) {
    const ShortMessage brief(profile, transport);
    const bool puts = is_put(transport);
    const bool alone = workload.pattern == Pattern::stream;
    const auto more = static_cast<double>(std::max<std::uint64_t>(1, workload.peers) - 1);
    StreamEnds ends{.before = brief.crossing()};
    if (is_offered_alone(workload)) {
        // The offers themselves are among the messages' costs.
        ends.before = std::max(0.0, brief.L - more * brief.send);
        if (!puts) ends.after = brief.L;
        return ends;
    }
    if (!is_one_way(workload)) {
        // Each rank makes all offers first, and says the ends of all streams first.
        const double all = (more + 1) * brief.send;
        ends.before = std::max(brief.crossing(), all + brief.receive);
        if (!puts) ends.after = all + std::max(brief.L, more * brief.receive) + brief.receive;
        return ends;
    }
    if (!puts) ends.after = brief.crossing() + (hub_receives(workload) ? more * brief.send : 0);
    if (workload.direction == Direction::fetch) return ends;
    // Who computes before it sends takes up an offer, or makes one, and need not wait for that.
    ends.before = puts ? brief.receive : brief.send;
    // The engine knows of offers and acknowledgements, the closed form of a producer does not.
    if (puts && alone) {
        ends.offered = brief.send + brief.L;
        ends.after = brief.L;
    }
    return ends;
}

}  // namespace lapwing

#include "lapwing/plan/one_sided.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "lapwing/plan/words.hpp"
#include "lapwing/profile/find_operation.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing {
namespace {

constexpr double short_message = 8;  // bytes: an offer, or an answer

const OperationCosts* mover(const Profile& profile, MessageTransport transport) {
    const OperationCosts* const found =
        find_operation(profile, "rma", transport == MessageTransport::put ? "rput" : "rget");
    return found != nullptr && found->bandwidth.back() > 0 ? found : nullptr;
}

/// Seconds that an operation of the size of this number takes its initiator's processor: its
/// initiation, or what each of a long train takes where that is more, for it has to be completed.
double busy(const OperationCosts& operation, std::size_t size) {
    return std::max(operation.overhead[size].back(), operation.asymptotic[size]);
}

/// Seconds that the operation of the size of this number keeps the wire, and its initiator with it
/// where nothing else moves meanwhile.
double keeps(const OperationCosts& operation, std::size_t size, bool alone) {
    const double wire = static_cast<double>(operation.sizes[size]) / operation.bandwidth[size];
    return wire + (alone ? busy(operation, size) : 0);
}

/// Seconds per byte of long operations: what the longest takes more than the one before it.
double gap_of(const OperationCosts& operation, bool alone) {
    const std::size_t last = operation.sizes.size() - 1;
    const auto bytes = static_cast<double>(operation.sizes[last]);
    if (last > 0 && operation.bandwidth[last - 1] > 0) {
        const double longer = keeps(operation, last, alone) - keeps(operation, last - 1, alone);
        if (longer > 0) return longer / (bytes - static_cast<double>(operation.sizes[last - 1]));
    }
    return keeps(operation, last, alone) / bytes;
}

}  // namespace

bool is_measured(const Profile& profile, MessageTransport transport) {
    const bool one_sided = transport == MessageTransport::put || transport == MessageTransport::get;
    return !one_sided || mover(profile, transport) != nullptr;
}

Profile seen_by(const Profile& profile, MessageTransport transport, Direction direction) {
    if (transport == MessageTransport::two_sided || transport == MessageTransport::any)
        return profile;
    const OperationCosts* const move = mover(profile, transport);
    if (move == nullptr)
        throw std::invalid_argument("the profile does not say what a " +
                                    std::string(name(transport)) +
                                    " costs: lapwing calibrate measures it in its part operations");
    const bool puts = transport == MessageTransport::put;
    const bool alone = direction == (puts ? Direction::fetch : Direction::produce);
    const double send = send_overhead(profile, short_message, 1);
    const double receive = receive_overhead(profile, short_message);
    const double told = profile.loggp.L;
    const double round_trip = std::max(0.0, move->latency.front() - move->overhead.front().front());

    Profile seen;
    seen.loggp = profile.loggp;
    seen.error = profile.error;
    seen.overhead.sizes = move->sizes;
    seen.overhead.bursts = {1};
    for (std::size_t i = 0; i < move->sizes.size(); ++i) {
        const double moves =
            receive + busy(*move, alone ? 0 : i) + send + (puts && alone ? round_trip : 0);
        const double offers = send + receive;
        seen.overhead.send.push_back({puts ? moves : offers});
        seen.overhead.receive.push_back(puts ? offers : moves);
    }
    seen.loggp.o_s = seen.overhead.send.front().front();
    seen.loggp.o_r = seen.overhead.receive.front();
    seen.loggp.L = told + (puts && alone ? 0 : round_trip) + (puts ? told : 0);
    seen.loggp.g = std::max(move->gap, profile.loggp.g);
    seen.loggp.G = gap_of(*move, alone);
    seen.bandwidth.sizes = move->sizes;
    for (std::size_t i = 0; i < move->sizes.size(); ++i)
        seen.bandwidth.unidirectional.push_back(
            move->bandwidth[i] > 0 ? static_cast<double>(move->sizes[i]) / keeps(*move, i, alone)
                                   : 0);
    seen.bandwidth.bidirectional = seen.bandwidth.unidirectional;
    seen.progress = profile.progress;
    // Measured of two-sided messages.
    seen.progress.exposed_time.clear();
    seen.nic = profile.nic;
    seen.queue_depth = profile.queue_depth;
    seen.log3p = profile.log3p;
    // Nothing moves before both sides are there, and neither is done before it is over.
    seen.protocol = Protocol{};
    seen.protocol->eager = seen.protocol->buffered = 0;
    if (profile.protocol) seen.protocol->outstanding = profile.protocol->outstanding;
    seen.topology = profile.topology;
    seen.patterns = profile.patterns;
    return seen;
}

}  // namespace lapwing

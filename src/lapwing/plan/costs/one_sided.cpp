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

/// Transport and name of the operation that moves the data.
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
        default:
            return {};
    }
}

const OperationCosts* operation_of(const Profile& profile, MessageTransport transport) {
    const auto [folder, name] = one_sided_operation(transport);
    const OperationCosts* const found = find_operation(profile, folder, name);
    return found != nullptr && found->bandwidth.back() > 0 ? found : nullptr;
}

/// Processor seconds of the initiator of an operation of size number `size`: its initiation, or,
/// where that is more, what each of a long train takes, since it has to be completed.
double initiator_seconds(const OperationCosts& operation, std::size_t size) {
    return std::max(operation.overhead[size].back(), operation.asymptotic[size]);
}

/// Seconds that an operation of size number `size` keeps the wire, and its initiator with it where
/// nothing else moves meanwhile (`alone`). Infinite where its bandwidth was not measured.
double wire_seconds(const OperationCosts& operation, std::size_t size, bool alone) {
    const double wire = static_cast<double>(operation.sizes[size]) / operation.bandwidth[size];
    return wire + (alone ? initiator_seconds(operation, size) : 0);
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
           operation_of(profile, transport) != nullptr;
}

LinkCosts one_sided_costs(const Profile& profile, MessageTransport transport, Direction direction) {
    const OperationCosts* const operation = operation_of(profile, transport);
    if (operation == nullptr)
        throw std::invalid_argument("the profile does not say what a " +
                                    std::string(name(transport)) +
                                    " costs: lapwing calibrate measures it in its part operations");
    const bool puts = is_put(transport);
    const bool alone = direction == (puts ? Direction::fetch : Direction::produce);
    const double send = send_overhead(profile, control_message, 1);
    const double receive = receive_overhead(profile, control_message);
    const double offers = send + receive;
    const double round_trip =
        std::max(0.0, operation->latency.front() - operation->overhead.front().front());

    LinkCosts link;
    link.loggp = profile.loggp;
    link.overhead.sizes = link.bandwidth.sizes = operation->sizes;
    link.overhead.bursts = {1};
    for (std::size_t i = 0; i < operation->sizes.size(); ++i) {
        const double moves = receive + initiator_seconds(*operation, alone ? 0 : i) + send +
                             (puts && alone ? round_trip : 0);
        link.overhead.send.push_back({puts ? moves : offers});
        link.overhead.receive.push_back(puts ? offers : moves);
        link.bandwidth.unidirectional.push_back(static_cast<double>(operation->sizes[i]) /
                                                wire_seconds(*operation, i, alone));
    }
    link.loggp.o_s = link.overhead.send.front().front();
    link.loggp.o_r = link.overhead.receive.front();
    link.loggp.L =
        profile.loggp.L + (puts && alone ? 0 : round_trip) + (puts ? profile.loggp.L : 0);
    link.loggp.g = std::max(operation->gap, profile.loggp.g);
    link.loggp.G = long_message_gap(*operation, alone);
    link.bandwidth.bidirectional = link.bandwidth.unidirectional;
    link.nic = profile.nic;
    // Nothing moves before both sides are there, and neither is done before it is over.
    link.protocol = Protocol{};
    link.protocol->eager = link.protocol->buffered = 0;
    if (profile.protocol) link.protocol->outstanding = profile.protocol->outstanding;
    return link;
}

}  // namespace lapwing

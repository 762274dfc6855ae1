#include "lapwing/simulate/recurrence/representative_rank.hpp"

#include <algorithm>

#include "lapwing/simulate/recurrence/wire.hpp"

namespace lapwing::simulate {

RankResult RepresentativeRank::run(const std::vector<double>& sizes, std::size_t window,
                                   std::size_t each) const {
    Wire wire(nic);
    RankResult result;
    double processor = 0;
    double sender = 0;    // of another rank, if this one does not send
    double receiver = 0;  // of another rank, if this one does not receive
    const std::size_t count = sizes.size();
    std::vector<double> entered(count);
    std::size_t initiated = 0;
    const auto initiate = [&] {
        const double size = sizes[initiated];
        processor += before * size;
        (sends ? processor : sender) += costs.o_s(size);
        const double starts = std::max(processor, sender) + costs.L;
        entered[initiated++] = starts;
        wire.enter(starts, costs.h + costs.G * size);
    };
    const auto await = [&](std::size_t message) {
        processor = std::max(processor, wire.end(message));
        receiver = std::max(receiver, wire.end(message));
        (receives ? processor : receiver) += costs.o_r(sizes[message]);
    };
    const bool produces = before > 0;
    while (initiated < std::min(window, count)) initiate();
    for (std::size_t message = 0; message < count; ++message) {
        await(message);
        if (!produces && initiated < count) initiate();
        processor += after * sizes[message];
        if (produces && initiated < count) initiate();
    }
    result.seconds = std::max(processor, receives ? 0 : receiver);
    std::size_t oldest = 0;
    for (std::size_t message = 0; message < count && result.in_step; ++message) {
        while (wire.end(oldest) <= entered[message]) ++oldest;
        result.in_step = message / each <= oldest / each + 1;
    }
    return result;
}

}  // namespace lapwing::simulate

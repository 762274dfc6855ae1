#include "lapwing/calibrate/benchmarks/protocol_probes.hpp"

#include <vector>

#include "lapwing/compute/clock.hpp"
#include "lapwing/pipeline/window/message_window.hpp"

namespace lapwing {

double late_receive(TwoSidedPair& pair, Buffers& buffers, std::uint64_t size, double late) {
    PairMessages messages(pair, buffers, size);
    pair.barrier();
    if (!pair.first()) {
        auto request = messages.send(0);
        wait_until(pair.now() + late);
        pair.barrier();
        request.wait();
        return 0;
    }
    wait_until(pair.now() + late);
    pair.barrier();
    const double start = pair.now();
    messages.receive(0).wait();
    return pair.now() - start;
}

double early_send(TwoSidedPair& pair, Buffers& buffers, std::uint64_t size, double late) {
    PairMessages messages(pair, buffers, size);
    pair.barrier();
    const double start = pair.now();
    if (!pair.first()) {
        wait_until(start + late);
        messages.receive(0).wait();
        return 0;
    }
    messages.send(0).wait();
    return pair.now() - start;
}

double windowed_flood(TwoSidedPair& pair, Buffers& buffers, std::uint64_t size, std::uint64_t count,
                      int window) {
    PairMessages messages(pair, buffers, size);
    const auto initiate = [&](std::uint64_t i) {
        return pair.first() ? messages.receive(i) : messages.send(i);
    };
    MessageWindow<TwoSided::Request> flight(window, 0);
    std::uint64_t next = 0;
    if (pair.first())
        while (next < count && !flight.full()) flight.push(initiate(next++));
    const double start = pair.start_together();
    for (; next < count; ++next) {
        flight.make_room();
        flight.push(initiate(next));
    }
    flight.drain();
    return pair.now() - start;
}

double burst_completion(TwoSidedPair& pair, Buffers& buffers, std::uint64_t size, int burst) {
    PairMessages messages(pair, buffers, size);
    std::vector<TwoSided::Request> requests;
    requests.reserve(static_cast<std::size_t>(burst));
    const auto count = static_cast<std::uint64_t>(burst);
    for (std::uint64_t i = 0; i < count && !pair.first(); ++i)
        requests.push_back(messages.receive(i));
    pair.barrier();
    const double start = pair.now();
    for (std::uint64_t i = 0; i < count && pair.first(); ++i) requests.push_back(messages.send(i));
    for (auto& request : requests) request.wait();
    const double took = pair.now() - start;
    pair.barrier();
    return took;
}

}  // namespace lapwing

#include "lapwing/calibrate/benchmarks/packet_train.hpp"

namespace lapwing {

PacketTrain run_blocking_train(TwoSidedPair& pair, Buffers& buffers, std::uint64_t size,
                               std::uint64_t count) {
    constexpr int answer_tag = 32766;
    TwoSided& transport = pair.transport();
    PairMessages messages(pair, buffers, size);
    if (!pair.first()) {
        std::vector<TwoSided::Request> incoming;
        incoming.reserve(count);
        for (std::uint64_t i = 0; i < count; ++i) incoming.push_back(messages.receive(i));
        pair.barrier();
        for (auto& request : incoming) request.wait();
        transport.send(buffers.out.data(), 1, pair.peer(), answer_tag).wait();
        return {};
    }
    auto answer = transport.receive(buffers.in.data(), 1, pair.peer(), answer_tag);
    pair.barrier();
    PacketTrain result;
    const double start = pair.now();
    for (std::uint64_t i = 0; i < count; ++i) {
        messages.send(i).wait();
        if (i == 0) result.initiation = pair.now() - start;
    }
    answer.wait();
    result.total = pair.now() - start;
    return result;
}

}  // namespace lapwing

#include "lapwing/calibrate/benchmarks/bidirectional.hpp"

#include <algorithm>
#include <vector>

#include "lapwing/pipeline/window/message_window.hpp"

namespace lapwing {

double transfer(TwoSidedPair& pair, Buffers& buffers, const TransferDirections& directions) {
    const bool sends = pair.first() ? directions.there : directions.back;
    const bool receives = pair.first() ? directions.back : directions.there;
    PairMessages messages(pair, buffers, directions.size);
    const double start = pair.start_together();
    {
        MessageWindow<TwoSided::Request> incoming(directions.window, 0);
        MessageWindow<TwoSided::Request> outgoing(directions.window, 0);
        for (std::uint64_t i = 0; i < directions.count; ++i) {
            if (sends) outgoing.make_room();
            if (receives) {
                incoming.make_room();
                incoming.push(messages.receive(i));
            }
            if (sends) outgoing.push(messages.send(i));
        }
        outgoing.drain();
        incoming.drain();
    }
    const double seconds = pair.now() - start;
    return std::max(seconds, pair.from_second(seconds));
}

Bidirectional measure_bidirectional(TwoSidedPair& pair, TimeShare& time_share,
                                    const std::string& what, Buffers& buffers,
                                    TransferDirections directions) {
    const auto time = [&](bool there, bool back) {
        directions.there = there;
        directions.back = back;
        return transfer(pair, buffers, directions);
    };
    std::vector<double> slower;
    Bidirectional result;
    result.slowdown = time_share.measure(what, [&] {
        const double there = time(true, false);
        slower.push_back(std::max(there, time(false, true)));
        return time(true, true) / slower.back();
    });
    result.one_way = estimate(slower);
    return result;
}

}  // namespace lapwing

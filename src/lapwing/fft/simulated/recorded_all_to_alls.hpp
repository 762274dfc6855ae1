#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "lapwing/fft/distribution/route.hpp"
#include "lapwing/fft/simulated/graph_recorder.hpp"
#include "lapwing/fft/simulated/rates.hpp"
#include "lapwing/simulate/program/graph_writer.hpp"

namespace lapwing::fft {

/// Records all-to-alls: stands for `AllToAllChannel`. An all-to-all is a receive from and a send to
/// each other member, both in the order of the members.
class RecordedAllToAlls {
  public:
    class Request {
      public:
        Request() = default;
        Request(simulate::GraphWriter& writer, std::vector<Transfer> messages)
            : writer_(&writer), messages_(std::move(messages)) {}
        static bool test() { return false; }
        void wait() { writer_->await(messages_); }

      private:
        simulate::GraphWriter* writer_ = nullptr;
        std::vector<Transfer> messages_;
    };

    RecordedAllToAlls(GraphRecorder& recorder, const Rates& rates)
        : recorder_(recorder), rates_(rates) {}

    [[nodiscard]] static std::size_t buffer() { return 0; }
    [[nodiscard]] Request start(const Route& route, int me, std::size_t first, std::size_t tile,
                                std::size_t) {
        const std::uint64_t tags = recorder_.next_tags();
        const auto bytes = [&](int from, int to) {
            const std::size_t all = route.planes(from);
            return (all <= first ? 0 : std::min(tile, all - first)) * route.part(from, to);
        };
        std::vector<Transfer> messages;
        messages.reserve(2 * static_cast<std::size_t>(route.ranks()));
        const auto with_others = [&](auto&& transfer) {
            for (int other = 0; other < route.ranks(); ++other)
                if (other != me) messages.push_back(transfer(other));
        };
        with_others(
            [&](int from) { return recorder_.receive(route, me, from, tags, 0, bytes(from, me)); });
        with_others([&](int to) { return recorder_.send(route, me, to, tags, 0, bytes(me, to)); });
        return {recorder_.writer(), std::move(messages)};
    }
    void exchange(const Route& route, int me, std::size_t data) {
        start(route, me, 0, route.most_planes(), data).wait();
    }
    void exchange_by_type(const Route& route, int me, std::size_t data) {
        double seconds = 0;
        for (int peer = 0; peer < route.ranks(); ++peer) {
            const auto part = static_cast<double>(route.part(me, peer));
            if (part > 0)
                seconds += rates_.gathering(static_cast<double>(route.planes(me)) * part, part,
                                            static_cast<double>(route.plane(me)));
        }
        recorder_.writer().compute(seconds);
        exchange(route, me, data);
    }

  private:
    GraphRecorder& recorder_;
    const Rates& rates_;
};

}  // namespace lapwing::fft

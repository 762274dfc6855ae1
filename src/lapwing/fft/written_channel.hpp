#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "lapwing/fft/rates.hpp"
#include "lapwing/fft/route.hpp"
#include "lapwing/simulate/graph_writer.hpp"

namespace lapwing::fft {

/// Who writes what for the engine: one rank of many, whose messages are told apart by tags that
/// never meet.
class Writing {
  public:
    Writing(simulate::GraphWriter& writer, int rank, int ranks)
        : writer_(writer), rank_(rank), ranks_(ranks) {}

    [[nodiscard]] simulate::GraphWriter& writer() { return writer_; }
    [[nodiscard]] int rank() const { return rank_; }
    /// To be called before each turn: groups of ranks exchange more or less often within one.
    void begin_turn() {
        ++turns_;
        exchanges_ = 0;
    }
    /// The first tag of those of one more exchange of the turn.
    [[nodiscard]] std::uint64_t next_tags() {
        return turns_ % 8 << 28U | exchanges_++ % 64 << index_bits;
    }
    std::uint32_t send(int peer, std::uint64_t tag, std::uint64_t bytes) {
        return writer_.send(static_cast<std::uint64_t>(peer), tag, bytes);
    }
    std::uint32_t receive(int peer, std::uint64_t tag, std::uint64_t bytes) {
        return writer_.receive(static_cast<std::uint64_t>(peer), tag, bytes);
    }
    /// Returns when everybody is here: messages to the ranks 1, 2, 4 … behind.
    void barrier() {
        std::uint64_t tag = barriers + barriers_++ % 256 * 64;
        for (int distance = 1; distance < ranks_; distance *= 2, ++tag) {
            const auto arriving = receive((rank_ + ranks_ - distance) % ranks_, tag, 0);
            const auto leaving = send((rank_ + distance) % ranks_, tag, 0);
            writer_.await(arriving);
            writer_.await(leaving);
        }
    }

  private:
    static constexpr unsigned index_bits = 22;  // more messages of a rank to another nobody plays
    static constexpr std::uint64_t barriers = std::uint64_t{1} << 31U;

    simulate::GraphWriter& writer_;
    int rank_;
    int ranks_;
    std::uint64_t turns_ = 0;
    std::uint64_t exchanges_ = 0;
    std::uint64_t barriers_ = 0;
};

/// Messages written out for the engine, two-sided ones or puts, where `TwoSidedChannel` and
/// `PutChannel` send them.
class WrittenMessages {
  public:
    static constexpr bool all_to_all = false;

    /// A message under way.
    class Request {
      public:
        Request() = default;
        Request(simulate::GraphWriter& writer, std::uint32_t node, double completing)
            : writer_(&writer), node_(node), completing_(completing) {}
        static bool test() { return false; }
        void wait() {
            writer_->await(node_);
            writer_->compute(completing_);
        }

      private:
        simulate::GraphWriter* writer_ = nullptr;
        std::uint32_t node_ = 0;
        double completing_ = 0;
    };

    WrittenMessages(Writing& writing, const Rates& rates, bool puts)
        : writing_(writing), rates_(rates), puts_(puts) {}

    [[nodiscard]] static std::size_t buffer() { return 0; }
    void open(const Route& route, int me) {
        tags_ = writing_.next_tags();
        entered_ = false;
        arriving_.assign(route.stages(), {});
        for (int distance = 1; distance < route.ranks(); ++distance) {
            const int peer = (me + route.ranks() - distance) % route.ranks();
            const int rank = route.group().rank(peer);
            for (std::size_t i = 0; i < route.messages(peer, me); ++i)
                if (const std::size_t bytes = route.bytes(peer, me, i); bytes > 0)
                    arriving_[route.stage(peer, i)].push_back(
                        writing_.receive(rank, tags_ + i, bytes));
        }
    }
    void await_open() {
        if (puts_ && !std::exchange(entered_, true)) writing_.barrier();
    }
    [[nodiscard]] Request send(const Route& route, std::size_t, int me, int peer,
                               std::size_t index) {
        const std::size_t bytes = route.bytes(me, peer, index);
        const auto node = writing_.send(route.group().rank(peer), tags_ + index, bytes);
        return {writing_.writer(), node, puts_ ? rates_.completing(static_cast<double>(bytes)) : 0};
    }
    static void progress() {}
    void await(std::size_t stage) {
        await_open();
        for (const std::uint32_t node : arriving_[stage]) writing_.writer().await(node);
        if (puts_) writing_.barrier();
    }
    static void close() {}

  private:
    Writing& writing_;
    const Rates& rates_;
    bool puts_;
    bool entered_ = false;
    std::uint64_t tags_ = 0;
    std::vector<std::vector<std::uint32_t>> arriving_;  ///< by stage
};

/// All-to-alls written out for the engine: a message to each of the others. A blocking one begins
/// with the rank behind, others with the first.
class WrittenAllToAlls {
  public:
    static constexpr bool all_to_all = true;

    class Request {
      public:
        Request() = default;
        Request(simulate::GraphWriter& writer, std::vector<std::uint32_t> nodes)
            : writer_(&writer), nodes_(std::move(nodes)) {}
        static bool test() { return false; }
        void wait() {
            for (const std::uint32_t node : nodes_) writer_->await(node);
        }

      private:
        simulate::GraphWriter* writer_ = nullptr;
        std::vector<std::uint32_t> nodes_;
    };

    WrittenAllToAlls(Writing& writing, const Rates& rates) : writing_(writing), rates_(rates) {}

    [[nodiscard]] static std::size_t buffer() { return 0; }
    [[nodiscard]] Request start(const Route& route, int me, std::size_t first, std::size_t tile,
                                std::size_t) {
        std::vector<int> members;
        for (int member = 0; member < route.ranks(); ++member)
            if (member != me) members.push_back(member);
        return start(route, me, first, tile, members, members);
    }
    void exchange(const Route& route, int me, std::size_t) {
        std::vector<int> behind;
        std::vector<int> before;
        for (int distance = 1; distance < route.ranks(); ++distance) {
            behind.push_back((me + distance) % route.ranks());
            before.push_back((me + route.ranks() - distance) % route.ranks());
        }
        start(route, me, 0, route.most_planes(), before, behind).wait();
    }
    void exchange_by_type(const Route& route, int me, std::size_t data) {
        double seconds = 0;
        for (int peer = 0; peer < route.ranks(); ++peer) {
            const auto part = static_cast<double>(route.part(me, peer));
            if (part > 0)
                seconds += rates_.gathering(static_cast<double>(route.planes(me)) * part, part,
                                            static_cast<double>(route.plane(me)));
        }
        writing_.writer().compute(seconds);
        exchange(route, me, data);
    }

  private:
    Request start(const Route& route, int me, std::size_t first, std::size_t tile,
                  const std::vector<int>& sources, const std::vector<int>& targets) {
        const std::uint64_t tag = writing_.next_tags();
        const auto bytes = [&](int from, int to) {
            const std::size_t all = route.planes(from);
            return (all <= first ? 0 : std::min(tile, all - first)) * route.part(from, to);
        };
        std::vector<std::uint32_t> nodes;
        nodes.reserve(sources.size() + targets.size());
        for (const int peer : sources)
            nodes.push_back(writing_.receive(route.group().rank(peer), tag, bytes(peer, me)));
        for (const int peer : targets)
            nodes.push_back(writing_.send(route.group().rank(peer), tag, bytes(me, peer)));
        return {writing_.writer(), std::move(nodes)};
    }

    Writing& writing_;
    const Rates& rates_;
};

}  // namespace lapwing::fft

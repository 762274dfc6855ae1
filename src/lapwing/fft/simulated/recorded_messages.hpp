#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "lapwing/fft/distribution/route.hpp"
#include "lapwing/fft/simulated/rates.hpp"
#include "lapwing/simulate/program/graph_writer.hpp"

namespace lapwing::fft {

using Transfer = simulate::GraphWriter::Transfer;

/// Who writes what for the engine: one rank of many, whose messages are told apart by tags that
/// never meet.
class GraphRecorder {
  public:
    GraphRecorder(simulate::GraphWriter& writer, int rank, int ranks)
        : writer_(writer), rank_(rank), ranks_(ranks) {}
    /// One of two that stand for all: what `rank` has to do with others it does with `other`.
    GraphRecorder(simulate::GraphWriter& writer, int rank, int ranks, int other)
        : writer_(writer), rank_(rank), ranks_(ranks), other_(other) {}

    [[nodiscard]] simulate::GraphWriter& writer() { return writer_; }
    [[nodiscard]] int rank() const { return rank_; }
    /// To be called before each transpose: groups of ranks exchange more or less often within one.
    void begin_transpose() {
        ++transposes_;
        exchanges_ = 0;
    }
    /// The first tag of those of one more exchange of the transpose.
    [[nodiscard]] std::uint64_t next_tags() {
        return transposes_ % 8 << 28U | exchanges_++ % 64 << index_bits;
    }
    /// Message `index` of the exchange of the first tag `tags`, of member `me` of the route's group
    /// to or from member `peer`.
    Transfer send(const Route& route, int me, int peer, std::uint64_t tags, std::size_t index,
                  std::uint64_t bytes) {
        return writer_.send(with(route.group().rank(peer)),
                            tags + index * members(route) + distance(route, me, peer), bytes);
    }
    Transfer receive(const Route& route, int me, int peer, std::uint64_t tags, std::size_t index,
                     std::uint64_t bytes) {
        return writer_.receive(with(route.group().rank(peer)),
                               tags + index * members(route) + distance(route, peer, me), bytes);
    }
    /// Those of all messages to member `me`, by stage.
    std::vector<std::vector<Transfer>> receives(const Route& route, int me, std::uint64_t tags) {
        std::vector<std::vector<Transfer>> arriving(route.stages());
        for (int distance = 1; distance < route.ranks(); ++distance) {
            const int peer = (me + route.ranks() - distance) % route.ranks();
            for (std::size_t i = 0; i < route.messages(peer, me); ++i)
                if (const std::size_t bytes = route.bytes(peer, me, i); bytes > 0)
                    arriving[route.stage(peer, i)].push_back(
                        receive(route, me, peer, tags, i, bytes));
        }
        return arriving;
    }
    /// What `Barrier` does, one of which is under way at a time on each channel.
    class Barrier {
      public:
        explicit Barrier(GraphRecorder& all) : all_(all), distance_(all.ranks_) {}
        void begin() {
            distance_ = 1;
            tag_ = barriers + all_.barriers_++ % 256 * 64;
            tell();
        }
        void wait() {
            while (distance_ < all_.ranks_) {
                all_.writer_.await(arriving_);
                all_.writer_.await(leaving_);
                distance_ *= 2;
                ++tag_;
                tell();
            }
        }

      private:
        void tell() {
            if (distance_ >= all_.ranks_) return;
            const int rank = all_.rank_;
            const int ranks = all_.ranks_;
            arriving_ =
                all_.writer_.receive(all_.with((rank + ranks - distance_) % ranks), tag_, 0);
            leaving_ = all_.writer_.send(all_.with((rank + distance_) % ranks), tag_, 0);
        }

        GraphRecorder& all_;
        int distance_;
        std::uint64_t tag_ = 0;
        Transfer arriving_;
        Transfer leaving_;
    };

  private:
    static constexpr unsigned index_bits = 22;  // more messages of a rank nobody plays
    static constexpr std::uint64_t barriers = std::uint64_t{1} << 31U;

    [[nodiscard]] std::uint64_t with(int rank) const {
        return static_cast<std::uint64_t>(other_.value_or(rank));
    }
    [[nodiscard]] static std::uint64_t members(const Route& route) {
        return static_cast<std::uint64_t>(route.ranks());
    }
    /// From one member to another; where one stands for many, it tells them apart.
    [[nodiscard]] static std::uint64_t distance(const Route& route, int from, int to) {
        return static_cast<std::uint64_t>((to - from + route.ranks()) % route.ranks());
    }

    simulate::GraphWriter& writer_;
    int rank_;
    int ranks_;
    std::optional<int> other_;
    std::uint64_t transposes_ = 0;
    std::uint64_t exchanges_ = 0;
    std::uint64_t barriers_ = 0;
};

/// Messages written out for the engine, where `TwoSidedChannel` sends them.
class RecordedMessages {
  public:
    static constexpr bool all_to_all = false;

    /// A message under way.
    class Request {
      public:
        Request() = default;
        Request(simulate::GraphWriter& writer, Transfer message)
            : writer_(&writer), message_(message) {}
        static bool test() { return false; }
        void wait() { writer_->await(message_); }

      private:
        simulate::GraphWriter* writer_ = nullptr;
        Transfer message_;
    };

    explicit RecordedMessages(GraphRecorder& recorder) : recorder_(recorder) {}

    [[nodiscard]] static std::size_t buffer() { return 0; }
    void open(const Route& route, int me) {
        tags_ = recorder_.next_tags();
        arriving_ = recorder_.receives(route, me, tags_);
    }
    static void await_open() {}
    static void expect(std::size_t, std::size_t) {}
    [[nodiscard]] Request send(const Route& route, std::size_t, int me, int peer,
                               std::size_t index) {
        return {recorder_.writer(),
                recorder_.send(route, me, peer, tags_, index, route.bytes(me, peer, index))};
    }
    static void progress() {}
    void await(std::size_t stage) { recorder_.writer().await(arriving_[stage]); }
    static void close() {}

  private:
    GraphRecorder& recorder_;
    std::uint64_t tags_ = 0;
    std::vector<std::vector<Transfer>> arriving_;  ///< by stage
};

/// All-to-alls written out for the engine: a message to each of the others, the first of them
/// first.
class RecordedAllToAlls {
  public:
    static constexpr bool all_to_all = true;

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

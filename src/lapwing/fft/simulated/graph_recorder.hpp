#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "lapwing/fft/distribution/route.hpp"
#include "lapwing/simulate/program/graph_writer.hpp"

namespace lapwing::fft {

using Transfer = simulate::GraphWriter::Transfer;

/// Records the communication of one rank into a graph for the engine. Its tags keep the messages of
/// different transposes, exchanges and barriers apart.
class GraphRecorder {
  public:
    GraphRecorder(simulate::GraphWriter& writer, int rank, int ranks)
        : writer_(writer), rank_(rank), ranks_(ranks) {}
    /// One of two ranks that represent all: what `rank` exchanges with any other rank, it exchanges
    /// with `other`.
    GraphRecorder(simulate::GraphWriter& writer, int rank, int ranks, int other)
        : writer_(writer), rank_(rank), ranks_(ranks), other_(other) {}

    [[nodiscard]] simulate::GraphWriter& writer() { return writer_; }
    /// To be called before each transpose: different groups make different numbers of exchanges in
    /// one.
    void begin_transpose() {
        ++transposes_;
        exchanges_ = 0;
    }
    /// The first tag of the next exchange of this transpose.
    [[nodiscard]] std::uint64_t next_tags() {
        return transposes_ % 8 << 28U | exchanges_++ % 64 << index_bits;
    }
    /// Records message `index` of the exchange whose first tag is `tags`, from member `me` of the
    /// route's group to member `peer`, or from `peer` to `me`.
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
    /// Records the receives of all messages to member `me`, by stage.
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
    /// Records the messages of a `lapwing::Barrier`. Each channel has one of them in flight at a
    /// time.
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
    static constexpr unsigned index_bits = 22;  // a forecast of more messages would take too long
    static constexpr std::uint64_t barriers = std::uint64_t{1} << 31U;

    [[nodiscard]] std::uint64_t with(int rank) const {
        return static_cast<std::uint64_t>(other_.value_or(rank));
    }
    [[nodiscard]] static std::uint64_t members(const Route& route) {
        return static_cast<std::uint64_t>(route.ranks());
    }
    /// How far `to` is behind `from` in the group: tells the messages of a rank that represents
    /// many apart.
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

}  // namespace lapwing::fft

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/fft/distribution/route.hpp"
#include "lapwing/fft/simulated/graph_recorder.hpp"
#include "lapwing/fft/simulated/rates.hpp"

namespace lapwing::fft {

/// Records puts: stands for `PutChannel`. Waiting for one flushes its target, which completes all
/// puts in flight to that target.
class RecordedPuts {
  public:
    /// A put in flight.
    class Request {
      public:
        Request() = default;
        Request(RecordedPuts& puts, int peer, Transfer put)
            : puts_(&puts), peer_(static_cast<std::size_t>(peer)), put_(put) {}
        static bool test() { return false; }
        void wait() { puts_->flush(peer_, put_); }

      private:
        RecordedPuts* puts_ = nullptr;
        std::size_t peer_ = 0;
        Transfer put_;
    };

    RecordedPuts(GraphRecorder& recorder, const Rates& rates)
        : recorder_(recorder), rates_(rates), barrier_(recorder) {}

    [[nodiscard]] static std::size_t buffer() { return 0; }
    void open(const Route& route, int me) {
        barrier_.begin();
        tags_ = recorder_.next_tags();
        arriving_ = recorder_.receives(route, me, tags_);
        in_flight_.assign(static_cast<std::size_t>(route.ranks()), {});
    }
    void await_open() { barrier_.wait(); }
    static void expect(std::size_t, std::size_t) {}
    [[nodiscard]] Request send(const Route& route, std::size_t, int me, int peer,
                               std::size_t index) {
        const std::size_t bytes = route.bytes(me, peer, index);
        const Transfer put = recorder_.send(route, me, peer, tags_, index, bytes);
        in_flight_[static_cast<std::size_t>(peer)].push_back(
            {put, rates_.put_completion(static_cast<double>(bytes))});
        return {*this, peer, put};
    }
    static void progress() {}
    void await(std::size_t stage) {
        barrier_.wait();
        recorder_.writer().await(arriving_[stage]);
        barrier_.begin();
        barrier_.wait();
    }
    static void close() {}

  private:
    struct Put {
        Transfer message;
        double completing = 0;  ///< seconds
    };

    /// Completes all puts to `peer`, unless a flush after `last` already has.
    void flush(std::size_t peer, Transfer last) {
        std::vector<Put>& puts = in_flight_[peer];
        if (puts.empty() || puts.front().message.node > last.node) return;
        double completing = 0;
        for (const Put& put : puts) {
            recorder_.writer().await(put.message);
            completing += put.completing;
        }
        recorder_.writer().compute(completing);
        puts.clear();
    }

    GraphRecorder& recorder_;
    const Rates& rates_;
    GraphRecorder::Barrier barrier_;
    std::uint64_t tags_ = 0;
    std::vector<std::vector<Transfer>> arriving_;  ///< by stage
    std::vector<std::vector<Put>> in_flight_;      ///< by target
};

}  // namespace lapwing::fft

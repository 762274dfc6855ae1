#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/fft/distribution/route.hpp"
#include "lapwing/fft/simulated/graph_recorder.hpp"
#include "lapwing/simulate/program/graph_writer.hpp"

namespace lapwing::fft {

/// Records two-sided messages: stands for `TwoSidedChannel`. It has no buffer, and the engine moves
/// messages without polls.
class RecordedMessages {
  public:
    /// A message in flight.
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

}  // namespace lapwing::fft

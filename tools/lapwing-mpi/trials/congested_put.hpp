#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "lapwing/pipeline/multi.hpp"
#include "lapwing/pipeline/unbounded_pipeline.hpp"
#include "lapwing/plan/workload.hpp"
#include "lapwing/transport/memory.hpp"
#include "lapwing/transport/streams.hpp"
#include "lapwing/transport/tag.hpp"
#include "trials/element_spans.hpp"
#include "trials/pipelined.hpp"

namespace lapwing::tools {

/// Congestion at one end point (Iancu and Strohmaier 2007, section 3.3): all other ranks compute
/// data and send it to rank 0 at once.
template <Transport T>
class CongestedPutTrial final : public PipelinedTrial {
  public:
    CongestedPutTrial(RankGroup& group, T& transport, const Workload& workload)
        : PipelinedTrial(group, peer_volume(workload), workload.grain),
          transport_(transport),
          others_(static_cast<std::size_t>(size() - 1)),
          memory_(memory_for(transport, first() ? volume() * others_.size() : volume())),
          source_(first() ? 0 : numbers(memory_).size()) {
        std::iota(others_.begin(), others_.end(), 1);
        fill(source_, volume());
    }

    double planned(const Plan& plan) override {
        return verified([&] {
            if (first()) {
                collect(plan);
            } else {
                produce(plan);
            }
        });
    }

  private:
    void compute_all() override { compute(source_, numbers(memory_)); }
    [[nodiscard]] std::span<double> outcome() override { return numbers(memory_); }
    [[nodiscard]] double computed_bytes() const override { return static_cast<double>(volume()); }

    /// Rank 0 receives one message of each rank after another, in the order in which they are sent,
    /// and has as many receives posted for each rank as that rank has messages in flight.
    void collect(Plan plan) {
        plan.window *= size() - 1;
        const Sources sources{transport_, others_, numbers(memory_), PeerOrder::interleaved};
        multi<double>(sources, plan, [](const PeerPiece<double>&) {});
    }
    void produce(const Plan& plan) {
        OpenStreams<T> streams;
        streams.outgoing(transport_, std::as_bytes(numbers(memory_)), 0, StreamData::announced,
                         plan.messages, plan.window);
        ElementSpans pieces(plan.messages);
        unbounded_pipeline<ElementSpan>(
            plan.window, plan.poll_interval,
            [&](std::uint64_t, ElementSpan& piece) {
                if (!pieces.next(piece)) return false;
                compute(source_.data() + piece.first, numbers(memory_), piece.first, piece.count);
                return true;
            },
            [&](const ElementSpan& piece) {
                return transport_.send(numbers(memory_).data() + piece.first, piece.bytes(), 0,
                                       message_tag(piece.message));
            });
    }

    T& transport_;
    std::vector<int> others_;
    decltype(memory_for(std::declval<T&>(),
                        0)) memory_;  ///< what a rank has computed, or rank 0 receives
    std::vector<double> source_;
};

}  // namespace lapwing::tools

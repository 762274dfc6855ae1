#pragma once

#include <climits>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "lapwing/pipeline/feed.hpp"
#include "lapwing/pipeline/stream.hpp"
#include "lapwing/pipeline/unbounded_pipeline.hpp"
#include "lapwing/plan/workload.hpp"
#include "lapwing/transport/tag.hpp"
#include "trials/element_spans.hpp"
#include "trials/pipelined.hpp"
#include "trials/strided_messages.hpp"

namespace lapwing::tools {

/// A stream from rank 1 to rank 0 of data in blocks with gaps between them, on both ranks. Elements
/// are computed where they lie.
class StridedTrial final : public PipelinedTrial {
  public:
    /// `workload`: one that `check` accepts.
    StridedTrial(RankGroup& group, const Workload& workload)
        : PipelinedTrial(group, workload.volume, workload.grain),
          messages_(group.communicator(), workload.volume / sizeof(double),
                    workload.block / sizeof(double), workload.stride / sizeof(double)),
          produces_(workload.direction == Direction::produce),
          near_(messages_.packed().size()),
          result_(first() != produces_ ? near_.size() : 0) {
        if (first()) return;
        fill(near_, workload.volume);
        // Data that is not computed is there from the start.
        messages_.put(0, near_);
    }

    /// Throws `std::invalid_argument` if the workload is no one-way stream of whole blocks.
    static void check(const Workload& workload) {
        const auto require = [](bool holds, const std::string& what) {
            if (!holds) throw std::invalid_argument("strided data " + what);
        };
        require(workload.pattern == Pattern::stream && workload.direction != Direction::both,
                "is run as a stream one way");
        require(workload.grain % workload.block == 0 && workload.volume % workload.block == 0,
                "needs a volume and a grain of whole blocks, " + std::to_string(workload.block) +
                    " bytes");
        require(workload.volume / workload.block <= INT_MAX &&
                    workload.stride / sizeof(double) <= INT_MAX,
                "has more blocks, or longer ones, than MPI can count");
    }

    /// Every uniform way once with a derived type and once packed by hand.
    [[nodiscard]] std::vector<GridPoint> grid(std::uint64_t smallest) const override {
        std::vector<GridPoint> all;
        for (const Packing packing : {Packing::derived, Packing::blocked}) {
            for (GridPoint point : PipelinedTrial::grid(smallest)) {
                const bool whole = packing == Packing::blocked && point.message >= volume();
                point.packing = whole ? Packing::copy : packing;
                all.push_back(point);
            }
        }
        return all;
    }
    double planned(const Plan& plan) override {
        messages_.set_packing(plan.packing);
        return verified([&] {
            if (first()) {
                take(plan);
            } else if (produces_) {
                produce(plan);
            } else {
                feed(messages_, 0, std::span<const double>(messages_.packed()), plan);
            }
        });
    }

  private:
    void compute_all() override {
        if (first() == produces_) return;
        compute_at(0, near_.size());
    }
    [[nodiscard]] std::span<double> outcome() override {
        if (!first()) return {};
        return produces_ ? messages_.spread() : std::span<double>(result_);
    }
    [[nodiscard]] double computed_bytes() const override { return static_cast<double>(volume()); }

    /// Computes `count` elements from `begin` on: a producer writes them to their places, a
    /// consumer reads them from there. The computation itself is on contiguous memory, so that it
    /// takes the same time however the elements travel.
    void compute_at(std::uint64_t begin, std::size_t count) {
        if (!computes()) return;
        if (!produces_) messages_.bring(begin, std::span(near_).subspan(begin, count));
        compute(near_.data() + begin, result_, begin, count);
        if (produces_) messages_.put(begin, std::span(result_).subspan(begin, count));
    }
    void take(const Plan& plan) {
        const Source source{messages_, 1, messages_.packed()};
        stream<double>(source, plan, [&](const Piece<double>& piece) {
            messages_.unpack(piece.data);
            if (!produces_) compute_at(piece.first, piece.data.size());
        });
    }
    void produce(const Plan& plan) {
        ElementSpans pieces(plan.messages);
        unbounded_pipeline<ElementSpan>(
            plan.window, plan.poll_interval,
            [&](std::uint64_t, ElementSpan& piece) {
                if (!pieces.next(piece)) return false;
                compute_at(piece.first, piece.count);
                return true;
            },
            [&](const ElementSpan& piece) {
                return messages_.send(messages_.packed().data() + piece.first, piece.bytes(), 0,
                                      message_tag(piece.message));
            });
    }

    StridedMessages messages_;
    bool produces_;
    std::vector<double> near_;    ///< input of the computation, contiguous
    std::vector<double> result_;  ///< its output, on the rank that computes
};

}  // namespace lapwing::tools

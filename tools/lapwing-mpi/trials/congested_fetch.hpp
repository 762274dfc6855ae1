#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "lapwing/pipeline/feed.hpp"
#include "lapwing/pipeline/stream.hpp"
#include "lapwing/pipeline/templates.hpp"
#include "lapwing/plan/workload.hpp"
#include "lapwing/transport/memory.hpp"
#include "trials/many_ranks.hpp"

namespace lapwing::tools {

/// Congestion at one end point (Iancu and Strohmaier 2007, section 3.3): rank 0 sends to all other
/// ranks at once, and each of them computes on what it receives.
template <Transport T>
class CongestedFetchTrial final : public ManyRanksTrial {
  public:
    CongestedFetchTrial(RankGroup& group, T& transport, const Workload& workload)
        : ManyRanksTrial(group, true),
          transport_(transport),
          grain_(workload.grain),
          others_(static_cast<std::size_t>(size() - 1)),
          memory_(memory_for(transport, peer_volume(workload))),
          result_(first() ? 0 : numbers(memory_).size()) {
        std::iota(others_.begin(), others_.end(), 1);
        if (first()) fill(numbers(memory_), memory_.size());
    }

    [[nodiscard]] std::vector<GridPoint> grid(std::uint64_t smallest) const override {
        return uniform_grid({.volume = memory_.size(), .grain = grain_, .smallest = smallest});
    }
    [[nodiscard]] bool has_schedules() const override { return true; }

    double blocking() override { return run(TemplateSchedule::A, {.message = memory_.size()}); }
    double uniform(const GridPoint& point) override { return run(point.schedule, point); }
    double planned(const Plan& plan) override {
        return verified([&] {
            if (first()) {
                give(plan.messages, plan.window);
            } else {
                stream<double>(Source{transport_, 0, numbers(memory_)}, plan, consumption());
            }
        });
    }

  private:
    void compute_all() override {
        if (!first()) compute(numbers(memory_), result_);
    }
    [[nodiscard]] std::span<double> outcome() override { return result_; }
    [[nodiscard]] double computed_bytes() const override {
        return static_cast<double>(memory_.size());
    }

    void give(const Messages& messages, int window) {
        feed(transport_, others_, std::as_bytes(numbers(memory_)), {messages, window});
    }
    [[nodiscard]] auto consumption() {
        return [&](const Piece<double>& piece) {
            compute(piece.data.data(), result_, piece.first, piece.data.size());
        };
    }
    double run(TemplateSchedule schedule, const GridPoint& point) {
        const auto messages = Messages::uniform(memory_.size(), point.message, sizeof(double));
        return verified([&] {
            if (first()) {
                give(messages, outstanding(schedule, point.burst));
            } else {
                const Source source{transport_, 0, numbers(memory_)};
                run_schedule(schedule, transport_, StreamOrder<double>(source, messages),
                             point.burst, consumption());
            }
        });
    }

    T& transport_;
    std::uint64_t grain_;
    std::vector<int> others_;
    decltype(memory_for(std::declval<T&>(),
                        0)) memory_;  ///< what rank 0 sends, or another rank receives
    std::vector<double> result_;      ///< computed from it
};

}  // namespace lapwing::tools

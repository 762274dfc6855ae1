#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "crowd_trial.hpp"
#include "lapwing/pipeline/feed.hpp"
#include "lapwing/pipeline/multi.hpp"
#include "lapwing/pipeline/templates.hpp"
#include "lapwing/transport/memory.hpp"

namespace lapwing::tools {

/// Rank 0 receives from all others and consumes what has arrived (Iancu and Strohmaier 2007,
/// section 3.2).
template <Transport T>
class MultiTrial final : public CrowdTrial {
  public:
    /// `part`: bytes from each peer, whole doubles.
    MultiTrial(Crowd& crowd, T& transport, std::uint64_t part, std::uint64_t grain)
        : CrowdTrial(crowd, true),
          transport_(transport),
          part_(part),
          grain_(grain),
          peers_(static_cast<std::size_t>(size() - 1)),
          memory_(memory_for(transport, first() ? part * peers_.size() : part)),
          result_(first() ? numbers(memory_).size() : 0) {
        std::iota(peers_.begin(), peers_.end(), 1);
        if (!first()) fill(numbers(memory_), part);
    }

    [[nodiscard]] std::vector<Cell> cells(std::uint64_t smallest) const override {
        return in_orders(uniform_cells({.volume = part_,
                                        .grain = grain_,
                                        .sequences = peers_.size(),
                                        .smallest = smallest}),
                         {PeerOrder::contiguous, PeerOrder::interleaved});
    }
    double blocking() override { return run(Schedule::B, {.message = part_, .burst = size() - 1}); }
    double uniform(const Cell& cell) override { return run(Schedule::E, cell); }
    double planned(const Plan& plan) override {
        return verified([&] {
            if (first()) {
                multi<double>(sources(plan.order), plan, consumption());
            } else {
                feed(transport_, 0, std::span<const double>(numbers(memory_)), plan);
            }
        });
    }

  private:
    void compute_all() override {
        if (first()) compute(numbers(memory_), result_);
    }
    [[nodiscard]] std::span<double> outcome() override { return result_; }
    [[nodiscard]] double computed_bytes() const override {
        return static_cast<double>(part_) * static_cast<double>(peers_.size());
    }

    [[nodiscard]] Sources<T, double> sources(PeerOrder order) {
        return {transport_, peers_, numbers(memory_), order};
    }
    [[nodiscard]] auto consumption() {
        return [&](const PeerPiece<double>& piece) {
            const auto first = piece.data.data() - numbers(memory_).data();
            compute(piece.data.data(), result_, static_cast<std::uint64_t>(first),
                    piece.data.size());
        };
    }
    double run(Schedule schedule, const Cell& cell) {
        const auto messages = Messages::uniform(part_, cell.message, sizeof(double));
        return verified([&] {
            if (first()) {
                run_schedule(schedule, transport_,
                             MultiOrder<double>(sources(cell.order), messages), cell.burst,
                             consumption());
            } else {
                feed(transport_, 0, std::as_bytes(numbers(memory_)), messages,
                     outstanding(schedule, cell.burst));
            }
        });
    }

    T& transport_;
    std::uint64_t part_;
    std::uint64_t grain_;
    std::vector<int> peers_;
    decltype(memory_for(std::declval<T&>(), 0)) memory_;  ///< what is received, or sent
    std::vector<double> result_;
};

}  // namespace lapwing::tools

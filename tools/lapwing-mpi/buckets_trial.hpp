#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "crowd_trial.hpp"
#include "lapwing/pipeline/open_pipeline.hpp"
#include "lapwing/transport/collective/collective.hpp"
#include "pieces.hpp"

namespace lapwing::tools {

/// Every rank computes a vector part by part, and each part is summed over all ranks while the next
/// one is computed: gradients in buckets.
class BucketsTrial final : public CrowdTrial {
  public:
    /// `volume`: bytes of the vector, whole doubles.
    BucketsTrial(Crowd& crowd, std::uint64_t volume, std::uint64_t grain)
        : CrowdTrial(crowd, true),
          ranks_(crowd.communicator()),
          volume_(volume),
          grain_(grain),
          source_(volume / sizeof(double)),
          made_(source_.size()),
          sum_(source_.size()) {
        fill(source_, volume);
    }

    [[nodiscard]] std::vector<Cell> cells(std::uint64_t smallest) const override {
        return uniform_cells(
            {.volume = volume_, .grain = grain_, .smallest = smallest, .bursts = false});
    }
    double blocking() override { return uniform({.message = volume_, .burst = 0, .window = 1}); }
    double uniform(const Cell& cell) override { return planned(plan_of(cell, volume_)); }
    double planned(const Plan& plan) override {
        return verified([&] {
            Pieces pieces(plan.messages);
            open_pipeline<Span>(
                plan.window, plan.poll_interval,
                [&](std::uint64_t, Span& bucket) {
                    if (!pieces.next(bucket)) return false;
                    compute(source_.data() + bucket.first, made_, bucket.first, bucket.count);
                    return true;
                },
                [&](const Span& bucket) {
                    return ranks_.allreduce({made_.data() + bucket.first, bucket.count},
                                            sum_.data() + bucket.first);
                });
        });
    }

  private:
    void compute_all() override { compute(source_, made_); }
    [[nodiscard]] std::span<double> outcome() override { return sum_; }
    [[nodiscard]] double computed_bytes() const override { return static_cast<double>(volume_); }

    Collective ranks_;
    std::uint64_t volume_;
    std::uint64_t grain_;
    std::vector<double> source_;
    std::vector<double> made_;
    std::vector<double> sum_;
};

}  // namespace lapwing::tools

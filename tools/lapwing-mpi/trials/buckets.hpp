#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lapwing/pipeline/unbounded_pipeline.hpp"
#include "lapwing/plan/workload.hpp"
#include "lapwing/transport/collective/collective.hpp"
#include "trials/element_spans.hpp"
#include "trials/pipelined.hpp"

namespace lapwing::tools {

/// Every rank computes a vector in parts, and each part is summed over all ranks while the next one
/// is computed, as gradients are in buckets.
class BucketsTrial final : public PipelinedTrial {
  public:
    BucketsTrial(RankGroup& group, const Workload& workload)
        : PipelinedTrial(group, workload.volume, workload.grain),
          ranks_(group.communicator()),
          source_(volume() / sizeof(double)),
          made_(source_.size()),
          sum_(source_.size()) {
        fill(source_, volume());
    }

    double planned(const Plan& plan) override {
        return verified([&] {
            ElementSpans pieces(plan.messages);
            unbounded_pipeline<ElementSpan>(
                plan.window, plan.poll_interval,
                [&](std::uint64_t, ElementSpan& bucket) {
                    if (!pieces.next(bucket)) return false;
                    compute(source_.data() + bucket.first, made_, bucket.first, bucket.count);
                    return true;
                },
                [&](const ElementSpan& bucket) {
                    return ranks_.allreduce({made_.data() + bucket.first, bucket.count},
                                            sum_.data() + bucket.first);
                });
        });
    }

  private:
    void compute_all() override { compute(source_, made_); }
    [[nodiscard]] std::span<double> outcome() override { return sum_; }
    [[nodiscard]] double computed_bytes() const override { return static_cast<double>(volume()); }

    Collective ranks_;
    std::vector<double> source_;
    std::vector<double> made_;
    std::vector<double> sum_;
};

}  // namespace lapwing::tools

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lapwing/pipeline/halo.hpp"
#include "lapwing/transport/memory.hpp"
#include "trials/many_ranks.hpp"
#include "trials/neighbours.hpp"

namespace lapwing::tools {

/// Every rank exchanges with its neighbours and meanwhile computes what does not depend on them:
/// the interior of a distributed grid.
template <Transport T>
class HaloTrial final : public ManyRanksTrial {
  public:
    /// The interior has as many elements as a rank receives.
    HaloTrial(RankGroup& group, T& transport, const Workload& workload)
        : ManyRanksTrial(group, workload.balanced),
          transport_(transport),
          neighbours_(neighbours(workload, rank())),
          part_(peer_volume(workload)),
          grain_(workload.grain),
          out_(memory_for(transport, part_ * sides())),
          in_(memory_for(transport, part_ * sides())),
          interior_(numbers(in_).size()),
          outcome_(2 * interior_.size()) {
        fill(numbers(out_), part_);
        fill(interior_, part_);
    }

    [[nodiscard]] std::vector<GridPoint> grid(std::uint64_t smallest) const override {
        return uniform_grid({.volume = part_,
                             .grain = grain_,
                             .sequences = sides(),
                             .smallest = smallest,
                             .windows = false});
    }
    double blocking() override {
        return run(plan_of({.message = part_}, part_), [](auto& halo, auto&& interior) {
            halo.exchange([] {});
            interior();
        });
    }
    double uniform(const GridPoint& point) override { return planned(plan_of(point, part_)); }
    double planned(const Plan& plan) override {
        return run(plan, [](auto& halo, auto&& interior) { halo.exchange(interior); });
    }

  private:
    void compute_all() override { compute(interior_, outcome_); }
    [[nodiscard]] std::span<double> outcome() override { return outcome_; }
    [[nodiscard]] double computed_bytes() const override {
        return static_cast<double>(interior_.size() * sizeof(double));
    }
    [[nodiscard]] std::size_t sides() const { return neighbours_.from.size(); }

    /// What is sent from one part arrives in the same part: that of the opposite side.
    [[nodiscard]] std::vector<Side<double>> grid_sides() {
        std::vector<Side<double>> all;
        const std::size_t elements = part_ / sizeof(double);
        for (std::size_t side = 0; side < sides(); ++side) {
            const std::size_t opposite = sides() == 1 ? side : side ^ 1U;
            all.push_back({neighbours_.from[side],
                           numbers(out_).subspan(opposite * elements, elements),
                           numbers(in_).subspan(side * elements, elements)});
        }
        return all;
    }
    template <class Step>
    double run(const Plan& plan, Step&& step) {
        Halo<T, double> halo(transport_, plan, grid_sides());
        const double seconds = timed([&] { step(halo, [&] { compute_all(); }); });
        const std::span<const double> arrived = numbers(in_);
        std::copy(arrived.begin(), arrived.end(),
                  outcome_.begin() + static_cast<std::ptrdiff_t>(interior_.size()));
        verify();
        return seconds;
    }

    T& transport_;
    PeerSequence neighbours_;
    std::uint64_t part_;  ///< bytes to and from each neighbour
    std::uint64_t grain_;
    decltype(memory_for(std::declval<T&>(), 0)) out_;
    decltype(memory_for(std::declval<T&>(), 0)) in_;
    std::vector<double> interior_;
    std::vector<double> outcome_;  ///< the interior, and what the neighbours sent
};

}  // namespace lapwing::tools

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
        const Messages whole = Messages::uniform(part_, part_, sizeof(double));
        return run(whole, 0, [](auto& halo, auto&& interior) {
            halo.exchange([] {});
            interior();
        });
    }
    double uniform(const GridPoint& point) override { return planned(plan_of(point, part_)); }
    double planned(const Plan& plan) override {
        return run(plan.messages, plan.poll_interval,
                   [](auto& halo, auto&& interior) { halo.exchange(interior); });
    }

  private:
    void compute_all() override { compute(interior_, outcome_); }
    [[nodiscard]] std::span<double> outcome() override { return outcome_; }
    [[nodiscard]] double computed_bytes() const override {
        return static_cast<double>(interior_.size() * sizeof(double));
    }
    [[nodiscard]] std::size_t sides() const { return neighbours_.from.size(); }

    /// One edge, with tags of its own, for each message to and from a neighbour.
    [[nodiscard]] std::vector<Edge<double>> edges(const Messages& messages) {
        std::vector<Edge<double>> edges;
        const std::size_t elements = part_ / sizeof(double);
        const auto tag = [&](std::size_t side, std::uint64_t message) {
            return static_cast<int>(side + sides() * message);
        };
        for (std::size_t side = 0; side < sides(); ++side) {
            // What one rank receives from its right, its right neighbour sends to the left.
            const std::size_t opposite = sides() == 1 ? side : side ^ 1U;
            for (auto message = messages.begin(); message != Messages::end(); ++message) {
                const std::size_t first = message.offset() / sizeof(double);
                const std::size_t count = *message / sizeof(double);
                edges.push_back({neighbours_.from[side],
                                 numbers(out_).subspan(opposite * elements + first, count),
                                 numbers(in_).subspan(side * elements + first, count),
                                 tag(opposite, message.index()), tag(side, message.index())});
            }
        }
        return edges;
    }
    template <class Step>
    double run(const Messages& messages, double poll_interval, Step&& step) {
        Halo<T, double> halo(transport_, edges(messages), poll_interval);
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

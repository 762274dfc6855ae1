#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "lapwing/pipeline/halo.hpp"
#include "lapwing/pipeline/peer_sequence.hpp"
#include "lapwing/transport/memory.hpp"
#include "trials/many_ranks.hpp"

namespace lapwing::tools {

/// Every rank exchanges with its neighbours, and computes meanwhile what needs nothing of them: the
/// interior of a distributed grid.
template <Transport T>
class HaloTrial final : public ManyRanksTrial {
  public:
    /// `part`: bytes to and from each neighbour, whole doubles; as much as comes is computed.
    HaloTrial(RankGroup& group, T& transport, PeerSequence neighbours, std::uint64_t part,
              std::uint64_t grain, bool balanced)
        : ManyRanksTrial(group, balanced),
          transport_(transport),
          neighbours_(std::move(neighbours)),
          part_(part),
          grain_(grain),
          out_(memory_for(transport, part * sides())),
          in_(memory_for(transport, part * sides())),
          interior_(numbers(in_).size()),
          outcome_(2 * interior_.size()) {
        fill(numbers(out_), part);
        fill(interior_, part);
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

    /// Every message to and from a neighbour is an edge with tags of its own.
    [[nodiscard]] std::vector<Edge<double>> edges(const Messages& messages) {
        std::vector<Edge<double>> edges;
        const std::size_t elements = part_ / sizeof(double);
        const auto tag = [&](std::size_t side, std::uint64_t message) {
            return static_cast<int>(side + sides() * message);
        };
        for (std::size_t side = 0; side < sides(); ++side) {
            // What one rank gets from its right, its right neighbour gives to the left.
            const std::size_t given = sides() == 1 ? side : side ^ 1U;
            for (auto message = messages.begin(); message != Messages::end(); ++message) {
                const std::size_t first = message.offset() / sizeof(double);
                const std::size_t count = *message / sizeof(double);
                edges.push_back({neighbours_.from[side],
                                 numbers(out_).subspan(given * elements + first, count),
                                 numbers(in_).subspan(side * elements + first, count),
                                 tag(given, message.index()), tag(side, message.index())});
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
    std::uint64_t part_;
    std::uint64_t grain_;
    decltype(memory_for(std::declval<T&>(), 0)) out_;
    decltype(memory_for(std::declval<T&>(), 0)) in_;
    std::vector<double> interior_;
    std::vector<double> outcome_;  ///< the interior, and what came from the neighbours
};

}  // namespace lapwing::tools

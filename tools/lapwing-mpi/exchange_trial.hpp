#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "crowd_trial.hpp"
#include "lapwing/pipeline/exchange.hpp"
#include "lapwing/pipeline/peer_sequence.hpp"
#include "lapwing/pipeline/templates.hpp"
#include "lapwing/transport/memory.hpp"

namespace lapwing::tools {

/// Every rank gives to its peers, and consumes what has arrived from them: an all-to-all (Iancu and
/// Strohmaier 2007, section 3.4), or neighbours.
template <Transport T>
class ExchangeTrial final : public CrowdTrial {
  public:
    /// The peers of this rank, staggered or not.
    using Sequence = std::function<PeerSequence(bool staggered)>;

    /// `part`: bytes from each peer, whole doubles. `same_order`: whether to try that too.
    ExchangeTrial(Crowd& crowd, T& transport, Sequence sequence, std::uint64_t part,
                  std::uint64_t grain, bool balanced, bool same_order)
        : CrowdTrial(crowd, balanced),
          transport_(transport),
          sequence_(std::move(sequence)),
          part_(part),
          grain_(grain),
          peers_(sequence_(true).from.size()),
          same_order_(same_order),
          out_(memory_for(transport, part * peers_)),
          in_(memory_for(transport, part * peers_)),
          result_(numbers(in_).size()) {
        fill(numbers(out_), part);  // to each peer the same
        const std::vector<int> peers = sequence_(true).from;
        for (std::size_t place = 0; place < peers.size(); ++place) places_[peers[place]] = place;
    }

    [[nodiscard]] std::vector<Cell> cells(std::uint64_t smallest) const override {
        const auto cells = uniform_cells(
            {.volume = part_, .grain = grain_, .sequences = peers_, .smallest = smallest});
        auto all = in_orders(cells, {PeerOrder::contiguous, PeerOrder::interleaved});
        if (!same_order_) return all;
        for (Cell cell : cells) {
            cell.staggered = false;
            all.push_back(cell);
        }
        return all;
    }
    double blocking() override {
        return run(Schedule::B, {.message = part_, .burst = static_cast<int>(peers_)});
    }
    double uniform(const Cell& cell) override { return run(Schedule::E, cell); }
    double planned(const Plan& plan) override {
        return verified([&] {
            const Parties parties{transport_, sequence_(plan.staggered),
                                  std::span<const double>(numbers(out_)), numbers(in_), plan.order};
            exchange<double>(parties, plan, consumption());
        });
    }

  private:
    [[nodiscard]] std::span<const double> to_compute() const override { return numbers(in_); }
    [[nodiscard]] std::span<double> computed() override { return result_; }
    [[nodiscard]] std::span<double> outcome() override { return result_; }
    [[nodiscard]] double computed_bytes() const override {
        return static_cast<double>(result_.size() * sizeof(double));
    }
    /// What comes of a piece lies in one place whatever the order of the peers.
    [[nodiscard]] auto consumption() {
        return [&](const PeerPiece<double>& piece) {
            const std::uint64_t begin = places_.at(piece.peer) * (part_ / sizeof(double));
            compute(piece.data.data(), begin + piece.first, piece.data.size());
        };
    }
    double run(Schedule schedule, const Cell& cell) {
        const auto messages = Messages::uniform(part_, cell.message, sizeof(double));
        return verified([&] {
            const PeerSequence sequence = sequence_(cell.staggered);
            Mirrored<T> both(transport_, sequence, out_.data(), part_);
            const Sources sources{both, sequence.from, numbers(in_), cell.order};
            run_schedule(schedule, both, MultiOrder<double>(sources, messages), cell.burst,
                         consumption());
            both.finish();
        });
    }

    T& transport_;
    Sequence sequence_;
    std::uint64_t part_;
    std::uint64_t grain_;
    std::size_t peers_;
    bool same_order_;
    decltype(memory_for(std::declval<T&>(), 0)) out_;
    decltype(memory_for(std::declval<T&>(), 0)) in_;
    std::vector<double> result_;
    std::map<int, std::size_t> places_;  ///< of the peers' parts in the result
};

}  // namespace lapwing::tools

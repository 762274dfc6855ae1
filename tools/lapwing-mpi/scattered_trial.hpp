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
#include "lapwing/pipeline/open_pipeline.hpp"
#include "lapwing/pipeline/stream.hpp"
#include "lapwing/transport/memory.hpp"

namespace lapwing::tools {

/// Rank 0 computes what the others get, each something else: several end points where the data is
/// put (Iancu and Strohmaier 2007, section 3.2).
template <Transport T>
class ScatteredTrial final : public CrowdTrial {
  public:
    /// `part`: bytes to each peer, whole doubles.
    ScatteredTrial(Crowd& crowd, T& transport, std::uint64_t part, std::uint64_t grain)
        : CrowdTrial(crowd, true),
          transport_(transport),
          part_(part),
          grain_(grain),
          peers_(static_cast<std::size_t>(size() - 1)),
          memory_(memory_for(transport, first() ? part * peers_.size() : part)),
          source_(first() ? numbers(memory_).size() : 0) {
        std::iota(peers_.begin(), peers_.end(), 1);
        fill(source_, part);
    }

    [[nodiscard]] std::vector<Cell> cells(std::uint64_t smallest) const override {
        return in_orders(uniform_cells({.volume = part_,
                                        .grain = grain_,
                                        .sequences = peers_.size(),
                                        .smallest = smallest,
                                        .bursts = false}),
                         {PeerOrder::contiguous, PeerOrder::interleaved});
    }
    double blocking() override {
        const Plan whole = plan_of({.message = part_, .window = 1}, part_);
        return verified([&] {
            if (first()) {
                compute_all();
                give_all();
            } else {
                take(whole);
            }
        });
    }
    double uniform(const Cell& cell) override { return planned(plan_of(cell, part_)); }
    double planned(const Plan& plan) override {
        return verified([&] {
            if (first()) {
                produce(plan);
            } else {
                take(plan);
            }
        });
    }

  private:
    using Order = MultiOrder<double>;

    struct Load {
        typename Order::Place place;
        int peer = -1;
        int tag = 0;
        void clear() {}
    };

    void compute_all() override {
        if (first()) compute(source_, numbers(memory_));
    }
    [[nodiscard]] std::span<double> outcome() override {
        return first() ? std::span<double>() : numbers(memory_);
    }
    [[nodiscard]] double computed_bytes() const override {
        return static_cast<double>(part_) * static_cast<double>(peers_.size());
    }

    void take(const Plan& plan) {
        stream<double>(Source{transport_, 0, numbers(memory_)}, plan, [](const Piece<double>&) {});
    }
    /// One message to each, all at once.
    void give_all() {
        Flight<typename T::Request> flight(static_cast<int>(peers_.size()), 0);
        for (std::size_t place = 0; place < peers_.size(); ++place)
            flight.launch([&] {
                return transport_.send(memory_.data() + place * part_, part_, peers_[place],
                                       message_tag(0));
            });
        flight.drain();
    }
    void produce(const Plan& plan) {
        // The order in which messages would be received is that in which they are sent.
        Order order(Sources{transport_, peers_, numbers(memory_), plan.order}, plan.messages);
        open_pipeline<Load>(
            plan.window, plan.poll_interval,
            [&](std::uint64_t, Load& load) {
                if (order.done()) return false;
                load = {order.place(), order.peer(), order.tag()};
                order.next();
                const double* const begin = numbers(memory_).data();
                const auto first = order.piece(load.place).data.data() - begin;
                compute(source_.data() + first, numbers(memory_), static_cast<std::uint64_t>(first),
                        load.place.bytes / sizeof(double));
                return true;
            },
            [&](const Load& load) {
                return transport_.send(load.place.data, load.place.bytes, load.peer, load.tag);
            });
    }

    T& transport_;
    std::uint64_t part_;
    std::uint64_t grain_;
    std::vector<int> peers_;
    decltype(memory_for(std::declval<T&>(), 0)) memory_;  ///< what is sent, or received
    std::vector<double> source_;
};

}  // namespace lapwing::tools

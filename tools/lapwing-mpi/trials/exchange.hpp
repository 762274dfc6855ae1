#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "lapwing/pipeline/exchange.hpp"
#include "lapwing/pipeline/templates.hpp"
#include "lapwing/pipeline/unbounded_pipeline.hpp"
#include "lapwing/plan/workload.hpp"
#include "lapwing/transport/memory.hpp"
#include "lapwing/transport/streams.hpp"
#include "trials/many_ranks.hpp"
#include "trials/neighbours.hpp"
#include "trials/placed_messages.hpp"

namespace lapwing::tools {

/// Every rank sends to its peers and receives from them: an all-to-all (Iancu and Strohmaier 2007,
/// section 3.4), or an exchange with neighbours whose data the computation needs.
template <Transport T>
class ExchangeTrial final : public ManyRanksTrial {
  public:
    ExchangeTrial(RankGroup& group, T& transport, const Workload& workload)
        : ManyRanksTrial(group, workload.balanced),
          transport_(transport),
          sequence_(peer_sequences(workload, rank())),
          part_(peer_volume(workload)),
          grain_(workload.grain),
          peers_(sequence_(true).from.size()),
          same_order_(workload.pattern != Pattern::halo),
          produces_(workload.direction != Direction::fetch),
          consumes_(workload.direction != Direction::produce),
          source_(part_ / sizeof(double)),
          out_(memory_for(transport, part_ * peers_)),
          in_(memory_for(transport, part_ * peers_)),
          result_(numbers(in_).size()) {
        // Every peer gets the same data, so that the result does not depend on the order of peers.
        fill(source_, part_);
        fill(numbers(out_), part_);
        const std::vector<int> peers = sequence_(true).from;
        for (std::size_t place = 0; place < peers.size(); ++place) places_[peers[place]] = place;
    }

    [[nodiscard]] std::vector<GridPoint> grid(std::uint64_t smallest) const override {
        const auto points = uniform_grid({.volume = part_,
                                          .grain = grain_,
                                          .sequences = peers_,
                                          .smallest = smallest,
                                          .bursts = !produces_});
        auto all = in_orders(points, {PeerOrder::contiguous, PeerOrder::interleaved});
        if (!same_order_) return all;
        for (GridPoint point : points) {
            point.staggered = false;
            all.push_back(point);
        }
        return all;
    }
    double blocking() override {
        return arranged(true, [&] {
            if (produces_) produce_all();
            run(TemplateSchedule::B, {.message = part_, .burst = static_cast<int>(peers_)});
        });
    }
    double uniform(const GridPoint& point) override {
        if (produces_) return planned(plan_of(point, part_));
        return arranged(point.staggered, [&] { run(TemplateSchedule::E, point); });
    }
    double planned(const Plan& plan) override {
        return arranged(plan.staggered, [&] {
            if (produces_) {
                produce(plan);
            } else {
                const Parties parties{transport_, sequence_(plan.staggered),
                                      std::span<const double>(numbers(out_)), numbers(in_),
                                      plan.order};
                exchange<double>(parties, plan, consumption());
            }
        });
    }

  private:
    void compute_all() override {
        if (produces_) produce_all();
        if (consumes_) compute(numbers(in_), result_);
    }
    [[nodiscard]] std::span<double> outcome() override { return result_; }
    [[nodiscard]] double computed_bytes() const override {
        const int sides = (produces_ ? 1 : 0) + (consumes_ ? 1 : 0);
        return static_cast<double>(result_.size() * sizeof(double)) * sides;
    }

    /// The part of memory that belongs to the peer in this place.
    [[nodiscard]] std::span<double> part(std::span<double> all, std::size_t place) const {
        return all.subspan(place * source_.size(), source_.size());
    }
    void produce_all() {
        for (std::size_t place = 0; place < peers_; ++place)
            compute(source_, part(numbers(out_), place));
    }
    /// Computes on a piece; where its result lies does not depend on the order of peers.
    [[nodiscard]] auto consumption() {
        return [&](const PeerPiece<double>& piece) {
            if (!consumes_) return;
            const std::uint64_t begin = places_.at(piece.peer) * source_.size();
            compute(piece.data.data(), result_, begin + piece.first, piece.data.size());
        };
    }
    /// Times a run. If nothing is computed from what arrives, the result is the arrived data
    /// itself, sorted by peer.
    template <class Run>
    double arranged(bool staggered, Run&& run) {
        const double seconds = timed(run);
        if (!consumes_) {
            const std::vector<int> from = sequence_(staggered).from;
            for (std::size_t place = 0; place < peers_; ++place)
                std::ranges::copy(part(numbers(in_), place),
                                  part(result_, places_.at(from[place])).begin());
        }
        verify();
        return seconds;
    }

    void run(TemplateSchedule schedule, const GridPoint& point) {
        const auto messages = Messages::uniform(part_, point.message, sizeof(double));
        const PeerSequence sequence = sequence_(point.staggered);
        PairedSends<T> both(transport_, sequence, out_.data(), part_);
        const Sources sources{both, sequence.from, numbers(in_), point.order};
        run_schedule(schedule, both, MultiOrder<double>(sources, messages), point.burst,
                     consumption());
        both.finish();
    }
    /// Computes a message, sends it and receives one from the same place of the sequence, while the
    /// next message is computed.
    void produce(const Plan& plan) {
        const PeerSequence sequence = sequence_(plan.staggered);
        std::vector<std::size_t> sent_before = {0};  // parts sent before each place of the order
        for (const auto& ranks : sequence.to)
            sent_before.push_back(sent_before.back() + ranks.size());
        PairedSends<T> both(transport_, sequence, out_.data(), part_, StreamData::announced);
        const Sources sources{both, sequence.from, numbers(in_), plan.order};
        MultiOrder<double> order(sources, plan.messages);
        OpenStreams<PairedSends<T>> streams;
        streams.incoming(both, order);
        PlacedMessages messages(std::move(order));
        unbounded_pipeline<PlacedMessage>(
            plan.window, plan.poll_interval,
            [&](std::uint64_t, PlacedMessage& message) {
                if (!messages.next(message)) return false;
                const auto& place = message.place;
                const std::uint64_t first = messages.piece(message).first;
                for (std::size_t to = sent_before[place.source]; to < sent_before[place.source + 1];
                     ++to)
                    compute(source_.data() + first, part(numbers(out_), to), first,
                            place.bytes / sizeof(double));
                return true;
            },
            [&](const PlacedMessage& message) {
                return both.receive(message.place.data, message.place.bytes, message.peer,
                                    message.tag);
            },
            [&](const PlacedMessage& message) { consumption()(messages.piece(message)); });
        streams.close();
        both.finish();
    }

    T& transport_;
    PeerSequences sequence_;
    std::uint64_t part_;
    std::uint64_t grain_;
    std::size_t peers_;
    bool same_order_;  ///< whether peers may also be visited in the same order on all ranks
    bool produces_;
    bool consumes_;
    std::vector<double> source_;  ///< what each peer's part is computed from
    decltype(memory_for(std::declval<T&>(), 0)) out_;
    decltype(memory_for(std::declval<T&>(), 0)) in_;
    std::vector<double> result_;
    std::map<int, std::size_t> places_;  ///< of each peer's part in the result
};

}  // namespace lapwing::tools

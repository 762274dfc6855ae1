#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "lapwing/pipeline/stream.hpp"
#include "lapwing/pipeline/unbounded_pipeline.hpp"
#include "lapwing/pipeline/window/message_window.hpp"
#include "lapwing/transport/streams.hpp"
#include "lapwing/transport/tag.hpp"
#include "trials/multi_base.hpp"
#include "trials/placed_messages.hpp"

namespace lapwing::tools {

/// Rank 0 computes a part for each other rank and sends it there.
template <Transport T>
class MultiSendTrial final : public MultiBase<T> {
    using Base = MultiBase<T>;
    using Base::first;
    using Base::memory;
    using Base::part;
    using Base::peers;
    using Base::transport;

  public:
    MultiSendTrial(RankGroup& group, T& messages, const Workload& workload)
        : Base(group, messages, workload, false), source_(first() ? numbers(memory()).size() : 0) {
        this->fill(source_, part());
    }

    double blocking() override {
        const Plan whole = plan_of({.message = part(), .window = 1}, part());
        return this->verified([&] {
            if (first()) {
                compute_all();
                give_all(whole);
            } else {
                take(whole);
            }
        });
    }
    double uniform(const GridPoint& point) override { return planned(plan_of(point, part())); }
    double planned(const Plan& plan) override {
        return this->verified([&] {
            if (first()) {
                produce(plan);
            } else {
                take(plan);
            }
        });
    }

  private:
    void compute_all() override {
        if (first()) this->compute(source_, numbers(memory()));
    }
    [[nodiscard]] std::span<double> outcome() override {
        return first() ? std::span<double>() : numbers(memory());
    }

    void take(const Plan& plan) {
        stream<double>(Source{transport(), 0, numbers(memory())}, plan, [](const auto&) {});
    }
    /// Opens a stream of each peer's part.
    void open(OpenStreams<T>& streams, StreamData when, const Plan& plan) {
        const std::span<const std::byte> all(memory().data(), memory().size());
        for (std::size_t place = 0; place < peers().size(); ++place)
            streams.outgoing(transport(), all.subspan(place * part(), part()), peers()[place], when,
                             plan.messages, plan.window);
    }
    /// Sends each peer its part in one message; all messages are in flight at once.
    void give_all(const Plan& whole) {
        OpenStreams<T> streams;
        open(streams, StreamData::complete, whole);
        MessageWindow<typename T::Request> flight(static_cast<int>(peers().size()), 0);
        for (std::size_t place = 0; place < peers().size(); ++place)
            flight.launch([&] {
                return transport().send(memory().data() + place * part(), part(), peers()[place],
                                        message_tag(0));
            });
        flight.drain();
    }
    void produce(const Plan& plan) {
        OpenStreams<T> streams;
        open(streams, StreamData::announced, plan);
        // A sequence of receives, used for its order: these messages are sent.
        PlacedMessages messages({this->sources(plan.order), plan.messages});
        unbounded_pipeline<PlacedMessage>(
            plan.window, plan.poll_interval,
            [&](std::uint64_t, PlacedMessage& message) {
                if (!messages.next(message)) return false;
                const std::span<const double> made = messages.piece(message).data;
                const auto place = made.data() - numbers(memory()).data();
                this->compute(source_.data() + place, numbers(memory()),
                              static_cast<std::uint64_t>(place), made.size());
                return true;
            },
            [&](const PlacedMessage& message) {
                return transport().send(message.place.data, message.place.bytes, message.peer,
                                        message.tag);
            });
    }

    std::vector<double> source_;
};

}  // namespace lapwing::tools

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lapwing/pipeline/feed.hpp"
#include "lapwing/pipeline/multi.hpp"
#include "lapwing/pipeline/templates.hpp"
#include "trials/multi_base.hpp"

namespace lapwing::tools {

/// Rank 0 receives from all other ranks and computes on what has arrived.
template <Transport T>
class MultiReceiveTrial final : public MultiBase<T> {
    using Base = MultiBase<T>;
    using Base::first;
    using Base::memory;
    using Base::part;
    using Base::sources;
    using Base::transport;

  public:
    MultiReceiveTrial(RankGroup& group, T& messages, const Workload& workload)
        : Base(group, messages, workload, true), result_(first() ? numbers(memory()).size() : 0) {
        if (!first()) this->fill(numbers(memory()), part());
    }

    [[nodiscard]] bool has_schedules() const override { return true; }

    double blocking() override {
        return run(TemplateSchedule::B, {.message = part(), .burst = this->size() - 1});
    }
    double uniform(const GridPoint& point) override { return run(point.schedule, point); }
    double planned(const Plan& plan) override {
        return this->verified([&] {
            if (first()) {
                multi<double>(sources(plan.order), plan, consumption());
            } else {
                feed(transport(), 0, std::span<const double>(numbers(memory())), plan);
            }
        });
    }

  private:
    void compute_all() override {
        if (first()) this->compute(numbers(memory()), result_);
    }
    [[nodiscard]] std::span<double> outcome() override { return result_; }

    [[nodiscard]] auto consumption() {
        return [&](const PeerPiece<double>& piece) {
            const auto place = piece.data.data() - numbers(memory()).data();
            this->compute(piece.data.data(), result_, static_cast<std::uint64_t>(place),
                          piece.data.size());
        };
    }
    double run(TemplateSchedule schedule, const GridPoint& point) {
        const auto messages = Messages::uniform(part(), point.message, sizeof(double));
        return this->verified([&] {
            if (first()) {
                run_schedule(schedule, transport(),
                             MultiOrder<double>(sources(point.order), messages), point.burst,
                             consumption());
            } else {
                feed(transport(), 0, std::as_bytes(numbers(memory())),
                     {messages, outstanding(schedule, point.burst)});
            }
        });
    }

    std::vector<double> result_;
};

}  // namespace lapwing::tools

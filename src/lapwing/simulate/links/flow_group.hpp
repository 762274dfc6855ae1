#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>

#include "lapwing/simulate/engine/event.hpp"
#include "lapwing/simulate/engine/time.hpp"

namespace lapwing::simulate {

/// A message that goes from one node to another over shared links.
struct Flow {
    Event message;
    std::uint32_t from = 0;  ///< node of its sender
    std::uint32_t to = 0;    ///< node of its receiver
    Time wire = 0;           ///< ticks on its links, if it has them for itself
    Time early = 0;          ///< ticks between its delivery and the time its links are free
    double weight = 1;       ///< its share of a link, relative to other flows
};

/// Flows of one path and weight, as fluid simulators group them. All have the same rate, so the
/// order in which they end never changes, and only the next one has to be watched.
class FlowGroup {
  public:
    /// A group, still empty, for flows like `flow`.
    explicit FlowGroup(const Flow& flow) { begin(flow); }

    /// An empty group is for other flows from now on: its memory is used again.
    void begin(const Flow& flow) {
        from_ = flow.from;
        to_ = flow.to;
        early_ = flow.early;
        weight_ = flow.weight;
        rate_ = carried_ = 0;
        since_ = 0;
    }

    /// Whether `flow` belongs to this group.
    [[nodiscard]] bool carries(const Flow& flow) const {
        return from_ == flow.from && to_ == flow.to && early_ == flow.early;
    }
    /// The number of flows.
    [[nodiscard]] std::size_t size() const { return size_; }
    /// The weight of each flow.
    [[nodiscard]] double weight() const { return weight_; }
    /// The fraction of a link's bandwidth that each flow has: 0 … 1.
    [[nodiscard]] double rate() const { return rate_; }

    /// Adds a flow that would need `wire` ticks at rate 1.
    void enter(const Event& message, Time wire, Time now) {
        advance(now);
        ++size_;
        insert(coming_, {message, carried_ + static_cast<double>(wire)});
        find_next();
    }
    /// Each flow has this rate from now on.
    void set_rate(double rate, Time now) {
        advance(now);
        rate_ = rate;
    }
    /// Ticks until the next message is delivered, or the next flow ends, not yet rounded.
    [[nodiscard]] double ticks_to_next(Time now) const {
        return std::min(ticks_to_delivery(next_coming_, now), ticks_to_end(next_delivered_, now));
    }
    /// Calls `delivered(message)` for each message delivered now, and `ended(message)` for each
    /// whose links are free now: those that `ticks_to_next` rounds to 0.
    template <class Delivered, class Ended>
    void proceed(Time now, Delivered&& delivered, Ended&& ended) {
        while (!coming_.empty() && rounds_to_zero(ticks_to_delivery(coming_.front().end, now))) {
            const Member member = coming_.front();
            coming_.pop_front();
            delivered(member.message);
            insert(delivered_, member);
        }
        while (!delivered_.empty() && rounds_to_zero(ticks_to_end(delivered_.front().end, now))) {
            const Event message = delivered_.front().message;
            delivered_.pop_front();
            --size_;
            ended(message);
        }
        find_next();
    }

  private:
    struct Member {
        Event message;
        double end;  ///< value of `carried_` at which this flow ends
    };
    static constexpr double none = std::numeric_limits<double>::infinity();

    void advance(Time now) {
        carried_ += rate_ * static_cast<double>(now - since_);
        since_ = now;
    }
    /// Ticks until a flow that ends at `end` does so at the present rate.
    [[nodiscard]] double ticks_to_end(double end, Time now) const {
        return std::max(0.0, (end - carried_) / rate_ - static_cast<double>(now - since_));
    }
    [[nodiscard]] double ticks_to_delivery(double end, Time now) const {
        return std::max(0.0, ticks_to_end(end, now) - static_cast<double>(early_));
    }
    static bool rounds_to_zero(double ticks) { return ticks < 0.5; }

    void find_next() {
        next_coming_ = next_delivered_ = none;
        if (!coming_.empty()) next_coming_ = coming_.front().end;
        if (!delivered_.empty()) next_delivered_ = delivered_.front().end;
    }
    static void insert(std::deque<Member>& members, const Member& member) {
        if (members.empty() || members.back().end <= member.end) return members.push_back(member);
        const auto at =
            std::upper_bound(members.begin(), members.end(), member,
                             [](const Member& a, const Member& b) { return a.end < b.end; });
        members.insert(at, member);
    }

    double weight_ = 1;
    std::size_t size_ = 0;
    double rate_ = 0;
    double carried_ = 0;  ///< ticks at rate 1 that a flow has had which is here from the beginning
    Time since_ = 0;
    double next_coming_ = none;     ///< `end` of the first of `coming_`
    double next_delivered_ = none;  ///< `end` of the first of `delivered_`
    Time early_ = 0;
    std::uint32_t from_ = 0;
    std::uint32_t to_ = 0;
    std::deque<Member> coming_;     ///< by the time of their delivery
    std::deque<Member> delivered_;  ///< by the time their links are free
};

}  // namespace lapwing::simulate

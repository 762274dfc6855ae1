#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <utility>

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
template <class Path>
class FlowGroup {
  public:
    /// A group, still empty, for flows like `flow` over `path`.
    FlowGroup(const Flow& flow, const Path& path) { begin(flow, path); }

    /// An empty group is for other flows from now on: its memory is used again.
    void begin(const Flow& flow, const Path& path) {
        from_ = flow.from;
        to_ = flow.to;
        path_ = path;
        early_ = flow.early;
        weight_ = flow.weight;
        rate_ = carried_ = 0;
        since_ = 0;
    }

    /// Whether `flow` belongs to this group.
    [[nodiscard]] bool carries(const Flow& flow) const {
        return from_ == flow.from && to_ == flow.to && early_ == flow.early;
    }
    [[nodiscard]] const Path& path() const { return path_; }
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
    }
    /// Each flow has this rate from now on.
    void set_rate(double rate, Time now) {
        advance(now);
        rate_ = rate;
    }
    /// When the next message is delivered, or the next flow ends. Throws `std::invalid_argument`
    /// beyond what `Time` holds.
    [[nodiscard]] Time next(Time now) const {
        Time time = std::numeric_limits<Time>::max();
        if (!coming_.empty()) time = now + std::max<Time>(0, left(coming_.front(), now) - early_);
        if (!delivered_.empty()) time = std::min(time, now + left(delivered_.front(), now));
        return time;
    }
    /// At the time that `next` has returned: calls `delivered(message)` for each message that is
    /// delivered now, and `ended(message)` for each whose links are free now.
    template <class Delivered, class Ended>
    void proceed(Time now, Delivered&& delivered, Ended&& ended) {
        while (!coming_.empty() && left(coming_.front(), now) <= early_) {
            const Member member = coming_.front();
            coming_.pop_front();
            delivered(member.message);
            insert(delivered_, member);
        }
        while (!delivered_.empty() && left(delivered_.front(), now) <= 0) {
            const Event message = delivered_.front().message;
            delivered_.pop_front();
            --size_;
            ended(message);
        }
    }

  private:
    struct Member {
        Event message;
        double end;  ///< value of `carried_` at which this flow ends
    };

    void advance(Time now) {
        carried_ += rate_ * static_cast<double>(now - since_);
        since_ = now;
    }
    /// Ticks until a flow ends at the present rate.
    [[nodiscard]] Time left(const Member& member, Time now) const {
        const double ticks =
            std::max(0.0, (member.end - carried_) / rate_ - static_cast<double>(now - since_));
        if (static_cast<double>(now) + ticks > static_cast<double>(longest_time)) too_long();
        return static_cast<Time>(std::llround(ticks));
    }
    static void insert(std::deque<Member>& members, const Member& member) {
        if (members.empty() || members.back().end <= member.end) return members.push_back(member);
        const auto at =
            std::upper_bound(members.begin(), members.end(), member,
                             [](const Member& a, const Member& b) { return a.end < b.end; });
        members.insert(at, member);
    }

    std::uint32_t from_ = 0;
    std::uint32_t to_ = 0;
    Path path_{};
    Time early_ = 0;
    double weight_ = 1;
    double rate_ = 0;
    double carried_ = 0;  ///< ticks at rate 1 that a flow has had which is here from the beginning
    Time since_ = 0;
    std::size_t size_ = 0;
    std::deque<Member> coming_;     ///< by the time of their delivery
    std::deque<Member> delivered_;  ///< by the time their links are free
};

}  // namespace lapwing::simulate

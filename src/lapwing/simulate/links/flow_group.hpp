#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>

#include "lapwing/simulate/engine/event.hpp"
#include "lapwing/simulate/engine/time.hpp"
#include "lapwing/simulate/links/topology.hpp"

namespace lapwing::simulate {

/// Messages that are on the same links at the same time: each gets as much of them as any other,
/// so that they are over in an order which nothing changes, and all are looked after by looking
/// after the next.
class FlowGroup {
  public:
    /// From node `from` to node `to`, over `path`. What is over at some time is there `early` ticks
    /// before; `weight` as `SharingLinks` has it.
    FlowGroup(std::uint32_t from, std::uint32_t to, const Path& path, Time early, double weight)
        : from_(from), to_(to), path_(path), early_(early), weight_(weight) {}

    [[nodiscard]] bool carries(std::uint32_t from, std::uint32_t to, Time early) const {
        return from_ == from && to_ == to && early_ == early;
    }
    [[nodiscard]] const Path& path() const { return path_; }
    /// How many messages there are.
    [[nodiscard]] std::size_t size() const { return coming_.size() + there_.size(); }
    /// Of one message, and what it gets of a link.
    [[nodiscard]] double weight() const { return weight_; }
    [[nodiscard]] double rate() const { return rate_; }

    /// One more, which alone would be on its links for `wire` ticks.
    void enter(const Event& message, Time wire, Time now) {
        advance(now);
        insert(coming_, {message, carried_ + static_cast<double>(wire)});
    }
    /// From now on.
    void set_rate(double rate, Time now) {
        advance(now);
        rate_ = rate;
    }
    /// When the next message is there, or is over. Throws `std::invalid_argument` beyond what
    /// `Time` holds.
    [[nodiscard]] Time next(Time now) const {
        Time time = std::numeric_limits<Time>::max();
        if (!coming_.empty()) time = now + std::max<Time>(0, rest(coming_.front(), now) - early_);
        if (!there_.empty()) time = std::min(time, now + rest(there_.front(), now));
        return time;
    }
    /// At the time that `next` has said: calls `there(message)` for each that is there now, and
    /// `over(message)` for each that is over.
    template <class There, class Over>
    void proceed(Time now, There&& there, Over&& over) {
        while (!coming_.empty() && rest(coming_.front(), now) <= early_) {
            const Flow flow = coming_.front();
            coming_.pop_front();
            there(flow.message);
            insert(there_, flow);
        }
        while (!there_.empty() && rest(there_.front(), now) <= 0) {
            const Event message = there_.front().message;
            there_.pop_front();
            over(message);
        }
    }

  private:
    struct Flow {
        Event message;
        double end;  ///< what a message of this group has been carried when this one is over
    };

    void advance(Time now) {
        carried_ += rate_ * static_cast<double>(now - since_);
        since_ = now;
    }
    /// Until it is over, at the present rate.
    [[nodiscard]] Time rest(const Flow& flow, Time now) const {
        const double ticks =
            std::max(0.0, (flow.end - carried_) / rate_ - static_cast<double>(now - since_));
        if (static_cast<double>(now) + ticks > static_cast<double>(longest_time)) too_long();
        return static_cast<Time>(std::llround(ticks));
    }
    static void insert(std::deque<Flow>& flows, const Flow& flow) {
        const auto at =
            std::upper_bound(flows.begin(), flows.end(), flow,
                             [](const Flow& a, const Flow& b) { return a.end < b.end; });
        flows.insert(at, flow);
    }

    std::uint32_t from_;
    std::uint32_t to_;
    Path path_;
    Time early_;
    double weight_;
    double rate_ = 0;
    double carried_ = 0;  ///< ticks at full rate, of one that is here from the beginning
    Time since_ = 0;
    std::deque<Flow> coming_;  ///< as they will be there
    std::deque<Flow> there_;   ///< as they will be over
};

}  // namespace lapwing::simulate

#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/compute/clock.hpp"
#include "lapwing/io/trace_event.hpp"

namespace lapwing {

/// Whatever the templates report their activities to: they call `start()` when one begins, and
/// `add(activity, since)` when it ends.
template <class R>
concept Records = requires(R& recorder, typename R::Time since) {
    { recorder.start() } -> std::same_as<typename R::Time>;
    recorder.add(Activity::wait, since);
};

/// Records nothing, at no cost: the templates' recorder unless they are given another.
struct NoTrace {
    struct Time {};
    static constexpr Time start() { return {}; }
    static constexpr void add(Activity, Time) {}
};
inline constexpr NoTrace no_trace;

/// Records what one rank does, event by event. It is the last argument of a template; templates
/// that share one number their steps and messages through.
class Trace {
  public:
    using Time = double;
    [[nodiscard]] static Time start() { return now(); }
    /// `activity` began at `since` and ends now.
    void add(Activity activity, Time since) {
        const double end = now();
        const auto which = static_cast<std::size_t>(activity);
        events_.push_back({activity, counts_[which]++, since, end});
        seconds_[which] += end - since;
    }

    /// All events, in the order in which they ended.
    [[nodiscard]] const std::vector<Event>& events() const { return events_; }
    /// Seconds spent on one activity.
    [[nodiscard]] double seconds(Activity activity) const {
        return seconds_[static_cast<std::size_t>(activity)];
    }

  private:
    std::vector<Event> events_;
    std::array<std::uint64_t, activities> counts_{};
    std::array<double, activities> seconds_{};
};

/// Records `activity`, from here to the end of the scope.
template <Records Recorder>
class Traced {
  public:
    Traced(Recorder& recorder, Activity activity)
        : recorder_(recorder), activity_(activity), since_(recorder.start()) {}
    Traced(const Traced&) = delete;
    Traced& operator=(const Traced&) = delete;
    ~Traced() { recorder_.add(activity_, since_); }

  private:
    Recorder& recorder_;
    Activity activity_;
    [[no_unique_address]] typename Recorder::Time since_;
};

}  // namespace lapwing

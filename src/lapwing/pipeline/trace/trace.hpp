#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapwing/compute/clock.hpp"
#include "lapwing/io/trace_event.hpp"

namespace lapwing {

/// What the templates tell of what they do: `start()` when it begins, `add` when it ends.
template <class R>
concept Records = requires(R& recorder, typename R::Time since) {
    { recorder.start() } -> std::same_as<typename R::Time>;
    recorder.add(Activity::wait, since);
};

/// Records nothing, at no cost: what the templates do unless they are given a `Trace`.
struct NoTrace {
    struct Time {};
    static constexpr Time start() { return {}; }
    static constexpr void add(Activity, Time) {}
};
inline constexpr NoTrace no_trace;

/// Records what one rank does. To be passed as the last argument of a template; several may share
/// one, and their steps and messages are then counted through.
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

    /// In the order in which they ended.
    [[nodiscard]] const std::vector<Event>& events() const { return events_; }
    /// Spent on one activity in all.
    [[nodiscard]] double seconds(Activity activity) const {
        return seconds_[static_cast<std::size_t>(activity)];
    }

  private:
    std::vector<Event> events_;
    std::array<std::uint64_t, activities> counts_{};
    std::array<double, activities> seconds_{};
};

/// Adds `activity` from here to the end of the scope to a trace.
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

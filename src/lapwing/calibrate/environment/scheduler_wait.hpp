#pragma once

namespace lapwing {

/// How long this thread had to wait for a processor because other programs ran on it, by the
/// kernel's own account (Linux: /proc/thread-self/schedstat). Counts from construction on.
class SchedulerWait {
  public:
    SchedulerWait();

    /// Time waited over time waited and run: 0 … 1. It is 0 in simulated time, and where the kernel
    /// keeps no account.
    [[nodiscard]] double share() const;

  private:
    double ran_ = 0;     ///< nanoseconds, at the start
    double waited_ = 0;  ///< nanoseconds, at the start
};

}  // namespace lapwing

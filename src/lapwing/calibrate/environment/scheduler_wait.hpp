#pragma once

#include <fstream>

#include "lapwing/compute/charge.hpp"

namespace lapwing {

/// How much of the processor other programs took from this thread while it wanted to run, by the
/// kernel's own account (Linux: /proc/thread-self/schedstat). Watches from construction on.
class SchedulerWait {
  public:
    /// Waiting for a processor over waiting and running: 0 … 1. 0 in simulated time, and where the
    /// kernel keeps no account.
    [[nodiscard]] double share() const {
        const Account now = account();
        const double waited = now.waited - start_.waited;
        const double all = waited + now.ran - start_.ran;
        return simulated_time || all <= 0 ? 0 : waited / all;
    }

  private:
    struct Account {
        double ran = 0;     ///< nanoseconds
        double waited = 0;  ///< nanoseconds
    };
    static Account account() {
        Account account;
        std::ifstream("/proc/thread-self/schedstat") >> account.ran >> account.waited;
        return account;
    }

    Account start_ = account();
};

}  // namespace lapwing

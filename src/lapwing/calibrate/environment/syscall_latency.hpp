#pragma once

#include <array>

#include "lapwing/calibrate/environment/minimum_time.hpp"

#ifndef LAPWING_SMPI
#include <sys/socket.h>
#include <unistd.h>
#endif

namespace lapwing {

/// How long the kernel takes over short messages at the moment. A virtual machine's host, and its
/// own memory management, make that a fifth longer for a minute and shorter again, while nothing a
/// program computes by itself shows it. In simulated time, and where there are no sockets, it is 0.
class SyscallLatency {
  public:
#ifndef LAPWING_SMPI
    SyscallLatency() {
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends_.data()) != 0) ends_ = {-1, -1};
    }
    SyscallLatency(const SyscallLatency&) = delete;
    SyscallLatency& operator=(const SyscallLatency&) = delete;
    ~SyscallLatency() {
        for (const int end : ends_)
            if (end >= 0) close(end);
    }

    /// Seconds of some messages of this process to itself.
    double seconds() {
        bool arrived = ends_[0] >= 0;
        const double least = minimum_time(tries, [&] {
            for (int k = 0; k < messages && arrived; ++k) {
                double there = 0;
                arrived = write(ends_[0], &there, sizeof there) == sizeof there &&
                          read(ends_[1], &there, sizeof there) == sizeof there;
            }
        });
        return arrived ? least : 0;
    }

  private:
    static constexpr int tries = 5;
    static constexpr int messages = 5;

    std::array<int, 2> ends_{-1, -1};
#else
    // NOLINTNEXTLINE(readability-convert-member-functions-to-static): as the other is
    double seconds() { return 0; }
#endif
};

}  // namespace lapwing

#include "lapwing/calibrate/environment/probes.hpp"

#include "lapwing/compute/charge.hpp"

#ifndef LAPWING_SMPI
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "lapwing/calibrate/environment/cache_line_latency.hpp"
#include "lapwing/calibrate/environment/minimum_time.hpp"
#endif

namespace lapwing {

#ifdef LAPWING_SMPI

std::vector<EnvironmentProbe> environment_probes(RankPair&) { return {}; }

#else

namespace {

/// 38,400 additions in eight chains, more than any core can do at once. In registers, and always in
/// the same place of a cache line: one program must find what another did.
[[gnu::noinline, gnu::aligned(64)]] void add_in_chains() {
    constexpr int times = 600;
    std::uint64_t a = 1;
    std::uint64_t b = 2;
    std::uint64_t c = 3;
    std::uint64_t d = 4;
    std::uint64_t e = 5;
    std::uint64_t f = 6;
    std::uint64_t g = 7;
    std::uint64_t h = 8;
    for (int i = 0; i < times; ++i) {
#pragma GCC unroll 8
        for (std::uint64_t k = 1; k <= 8; ++k) {
            a += k, b += k, c += k, d += k, e += k, f += k, g += k, h += k;
            asm volatile(""
                         : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f), "+r"(g), "+r"(h));
        }
    }
}

/// How much this core does at once. Two hardware threads share a core: if the other one computes
/// for somebody else, these additions take up to twice as long. Otherwise they take the same to a
/// percent.
double core_throughput() { return minimum_time(4, add_in_chains); }

/// How long the kernel takes over five messages of this process to itself. Mitigations, throttling
/// and memory management change that, while no computation shows it.
class SyscallLatency {
  public:
    SyscallLatency() {
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends_.data()) != 0) ends_ = {-1, -1};
    }
    SyscallLatency(const SyscallLatency&) = delete;
    SyscallLatency& operator=(const SyscallLatency&) = delete;
    ~SyscallLatency() {
        for (const int end : ends_)
            if (end >= 0) close(end);
    }

    /// Seconds; 0 if there are no sockets.
    double seconds() {
        bool arrived = ends_[0] >= 0;
        const double least = minimum_time(5, [&] {
            for (int k = 0; k < messages && arrived; ++k) {
                double data = 0;
                arrived = write(ends_[0], &data, sizeof data) == sizeof data &&
                          read(ends_[1], &data, sizeof data) == sizeof data;
            }
        });
        return arrived ? least : 0;
    }

  private:
    static constexpr int messages = 5;

    std::array<int, 2> ends_{-1, -1};
};

/// The slower of both ranks' readings, on rank 0; 0 if either rank cannot read it.
double slower_of(RankPair& pair, double mine) {
    const double other = pair.from_second(mine);
    return other > 0 ? std::max(mine, other) : 0;
}

}  // namespace

std::vector<EnvironmentProbe> environment_probes(RankPair& pair) {
    const auto line = std::make_shared<CacheLineLatency>(pair);
    const auto syscalls = std::make_shared<SyscallLatency>();
    // Tolerances: beyond what an undisturbed machine shows, below what a disturbed one does.
    return {{"cache_line_seconds", 1.4, [line](RankPair& two) { return line->seconds(two); }},
            {"core_throughput_seconds", 1.15,
             [](RankPair& two) { return slower_of(two, core_throughput()); }},
            {"syscall_seconds", 1.12,
             [syscalls](RankPair& two) { return slower_of(two, syscalls->seconds()); }}};
}

#endif

}  // namespace lapwing

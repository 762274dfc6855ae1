#pragma once

#include <cstdint>

#include "lapwing/calibrate/environment/minimum_time.hpp"
#include "lapwing/compute/charge.hpp"

namespace lapwing {

/// Whether this processor has its core to itself. Two hardware threads share all that a core can do
/// at once; where the other is somebody else's, and computes, whatever is not one long chain takes
/// up to twice as long here. Nothing inside a virtual machine shows it but how long such work
/// takes, which otherwise is the same to a percent. In simulated time it is 0.
class SmtContention {
  public:
    /// Seconds of some additions.
    static double seconds() { return simulated_time ? 0 : minimum_time(tries, add); }

  private:
    static constexpr int tries = 4;

    /// 38,400 additions in eight chains, more than any core can do at once. In registers, and
    /// always in the same place of a cache line: one program is to find what another did.
    [[gnu::noinline, gnu::aligned(64)]] static void add() {
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
                             : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f), "+r"(g),
                               "+r"(h));
            }
        }
    }
};

}  // namespace lapwing

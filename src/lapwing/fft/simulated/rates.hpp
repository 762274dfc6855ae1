#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "lapwing/model/packing.hpp"
#include "lapwing/profile/log3p.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing::fft {

/// What one core takes for what a transform is made of, in seconds.
struct Rates {
    double fft = 0;   ///< floating-point operations a second, 5 n log2 n of a complex line
    double copy = 0;  ///< bytes a second, of more than caches hold
    Line completing;  ///< seconds that a put of so many bytes takes its initiator when it completes
    /// What gathering data takes, and copies within caches; without, derived types cost nobody
    /// knows what.
    const Log3P* log3p = nullptr;

    /// Of `count` lines of `length`.
    [[nodiscard]] double lines(std::size_t length, std::size_t count) const {
        const auto n = static_cast<double>(length);
        return 5 * n * std::log2(n) * static_cast<double>(count) / fft;
    }
    /// Of copying `bytes` of `written` that have just been written: as fast as copies of so many
    /// were measured, if they were.
    [[nodiscard]] double packing(double bytes, double written) const {
        if (log3p == nullptr || written > static_cast<double>(log3p->sizes.back()))
            return bytes / copy;
        return bytes / written * interpolate(log3p->sizes, log3p->T_mem, written);
    }
    /// What MPI takes to gather `bytes` that lie in blocks of `block`, `stride` from one to the
    /// next, beyond what it takes to send them from one place: the sender's half of that.
    [[nodiscard]] double gathering(double bytes, double block, double stride) const {
        if (log3p == nullptr) return 0;
        const auto typed = [&](double apart) {
            return model::packing(*log3p, bytes, model::apart(*log3p, block, apart)).derived;
        };
        return std::max(0.0, typed(stride) - typed(block)) / 2;
    }
};

}  // namespace lapwing::fft

#pragma once

#include <cstddef>

#include "lapwing/profile/log3p.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing::fft {

/// How fast one core does what a transform consists of.
struct Rates {
    double fft = 0;   ///< floating-point operations a second, 5 n log2 n for a complex line
    double copy = 0;  ///< bytes a second, of more than the caches hold
    LinearCost
        put_completion;  ///< seconds of the origin's processor to complete a put, by its bytes
    /// Costs of strided data; null if they were not measured. They say what copies within caches
    /// and derived types cost.
    const Log3P* log3p = nullptr;

    /// Seconds to transform `count` complex lines of `length` elements.
    [[nodiscard]] double lines(std::size_t length, std::size_t count) const;
    /// Seconds to copy `bytes` out of `written` bytes that have just been written. They cost what
    /// copies of that many bytes were measured to cost, if they were.
    [[nodiscard]] double packing(double bytes, double written) const;
    /// Seconds that the sender's MPI takes to gather `bytes` from blocks of `block` bytes, `stride`
    /// bytes apart, beyond those of contiguous data. That is half of what both sides take.
    [[nodiscard]] double gathering(double bytes, double block, double stride) const;
};

}  // namespace lapwing::fft

#pragma once

#include "lapwing/profile/link_costs.hpp"
#include "lapwing/profile/table.hpp"

namespace lapwing::model {

/// The costs of a stream of messages from one rank to another: LogGP parameters with overheads that
/// are linear in the message size. In seconds; `G` and `t` in seconds per byte.
struct Stream {
    double L = 0;    ///< wire latency, one way
    LinearCost o_s;  ///< sender's overhead of a message
    LinearCost o_r;  ///< receiver's overhead of a message
    double G = 0;    ///< wire time
    double h = 0;    ///< seconds a message keeps the wire busy beyond its bytes (headers)
    double t = 0;    ///< computation on the data, seconds per byte
};

/// The stream's costs on a measured machine, for messages of up to `volume` bytes and `compute`
/// seconds of computation in all. `volume > 0`.
[[nodiscard]] Stream stream_costs(const LinkCosts& link, double volume, double compute);

/// Schedule A: one message, then all computation: `o_s + L + G V + o_r + t V` seconds.
[[nodiscard]] constexpr double blocking(const Stream& x, double volume) {
    return x.o_s.base + x.o_s.per_byte * volume + x.L + x.h + x.G * volume + x.o_r.base +
           (x.o_r.per_byte + x.t) * volume;
}

/// Sums of a geometric series, by which message sizes of a chain add up.
struct GeometricSums {
    double powers = 0;  ///< r^n
    double first = 0;   ///< sum of r^j, j < n
    double second = 0;  ///< sum over i < n of sum of r^j, j < i
};
[[nodiscard]] GeometricSums geometric_sums(double r, double n);

/// Bytes of the first message in a chain of `n` messages, `volume` bytes in total. In the chain
/// each message arrives just when the one before it is consumed: `h + G S_{k+1} = o_r + t S_k`.
/// Negative if `n` messages are too many.
[[nodiscard]] double chain_first(const Stream& x, double volume, double n);

/// The number of messages of the fastest chain. One message more counts only if it saves more than
/// the share `worthwhile` of the time.
[[nodiscard]] int chain_count(const Stream& x, double volume, double worthwhile = 0);

/// The time in seconds that no choice of messages can beat over a serialising network interface:
/// `min over (S_k) of max_k [o_s + L + G sum_{j<=k} S_j + sum_{j>=k} (o_r + t S_j)]`. All terms of
/// the maximum are equal at the optimum. So it is the chain of `chain_first`, with 0 for `h` and
/// for the sender's overhead per byte. Its time is the term of `k = 1`. Sizes are real numbers
/// here.
[[nodiscard]] double stream_limit(const Stream& x, double volume);

}  // namespace lapwing::model

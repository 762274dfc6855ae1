#pragma once

#include <algorithm>
#include <array>
#include <vector>

namespace lapwing {

/// How many processes communicate at once when G(pattern, P, S) is measured (Iancu 2.1).
enum class TrafficPattern {
    nearest_neighbour,  ///< 2k sends to 2k + 1
    cross_bisection,    ///< k of the lower half sends to k of the upper
    bidirectional,      ///< the same pairs, both ways at once
    gather,             ///< all others send to 0 (Iancu 3.2, end-point congestion)
    alltoall,           ///< each sends to all others in turn, starting with the next one
};

inline constexpr std::array all_traffic = {
    TrafficPattern::nearest_neighbour, TrafficPattern::cross_bisection,
    TrafficPattern::bidirectional, TrafficPattern::gather, TrafficPattern::alltoall};

/// Its name in a profile.
constexpr const char* name(TrafficPattern traffic) {
    switch (traffic) {
        case TrafficPattern::nearest_neighbour:
            return "nearest-neighbour";
        case TrafficPattern::cross_bisection:
            return "cross-bisection";
        case TrafficPattern::bidirectional:
            return "bidirectional";
        case TrafficPattern::gather:
            return "gather";
        case TrafficPattern::alltoall:
            return "alltoall";
    }
    return "";
}

/// Whom one process sends to and receives from. Message `k` goes to `to[k % to.size()]`, and the
/// `k`-th arrival is from `from[k % from.size()]`.
struct Partners {
    std::vector<int> to;
    std::vector<int> from;
};

/// The partners of process `rank` among `processes`; none if an odd number leaves it without one.
inline Partners partners(TrafficPattern traffic, int rank, int processes) {
    Partners result;
    const auto couple = [&](int sender, int receiver) {
        if (receiver >= processes) return;
        if (rank == sender) result.to.push_back(receiver);
        if (rank == receiver) result.from.push_back(sender);
    };
    const int half = processes / 2;
    const int lower = half > 0 ? rank % half : 0;
    switch (traffic) {
        case TrafficPattern::nearest_neighbour:
            couple(rank / 2 * 2, rank / 2 * 2 + 1);
            break;
        case TrafficPattern::cross_bisection:
        case TrafficPattern::bidirectional:
            if (rank >= 2 * half) break;
            couple(lower, lower + half);
            if (traffic == TrafficPattern::bidirectional) couple(lower + half, lower);
            break;
        case TrafficPattern::gather:
            for (int sender = 1; sender < processes; ++sender) couple(sender, 0);
            break;
        case TrafficPattern::alltoall:
            for (int shift = 1; shift < processes; ++shift) {
                result.to.push_back((rank + shift) % processes);
                result.from.push_back((rank - shift + processes) % processes);
            }
            break;
    }
    return result;
}

/// The numbers of processes to measure with by default, of `size`: powers of two from 2 up, and
/// all.
inline std::vector<int> default_processes(int size) {
    std::vector<int> result;
    for (int processes = 2; processes < size; processes *= 2) result.push_back(processes);
    if (size >= 2) result.push_back(size);
    return result;
}

/// Jain's fairness index of `n` bandwidths, from their sum and sum of squares: 1 if all are the
/// same, 1/n if one of n has all.
constexpr double fairness(double n, double sum, double squares) {
    return n > 0 && squares > 0 ? std::min(1.0, sum * sum / (n * squares)) : 1;
}

}  // namespace lapwing

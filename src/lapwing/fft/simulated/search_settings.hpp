#pragma once

namespace lapwing::fft {

// The tunable numbers of forecasts, each with its reason.

/// Messages and packed parts, of all ranks, that the engine simulates within a second or two. One
/// limit is for each of many ways to transform, the other for a single way that a caller asks for.
inline constexpr double max_operations_each = 1e6;
inline constexpr double max_operations = 4e6;

/// Messages times pairs of ranks that the engine simulates within a second or two if messages share
/// links, because each message may change the bandwidth of every other.
inline constexpr double max_shared_operations = 2e7;

/// Share of the time that a wider window, a larger tile, another schedule or another packing must
/// save: less is not worth being different.
inline constexpr double least_gain = 1e-3;

/// A way that takes this many times as long as another is not evaluated any further.
inline constexpr double prune_factor = 1.1;

/// Let all ranks have as many elements as the one with most. Up to this ratio of their elements to
/// those of the array, an estimate treats all ranks alike.
inline constexpr double max_imbalance = 1.25;

/// Share of the time that puts must save. Their costs are measured between two ranks. The cost of
/// many to one target is not known.
inline constexpr double put_doubt = 0.02;

}  // namespace lapwing::fft

#pragma once

#include "lapwing/calibrate/benchmarks/overlap_kernels.hpp"

namespace lapwing {

/// Which way messages go while rank 0 computes, as rank 0 sees it. Where they go both ways rank 1
/// computes as much.
enum class TrafficDirection { sending, receiving, both };

/// Seconds per byte by which messages under way prolong rank 0's computation, without its calls to
/// the transport. They are the processor time that the system steals for their progress (O of
/// LogGOPS).
///
/// The messages of `load` go each way, with `computation` after the start of each, polled between
/// its blocks. The result is rank 0's, less the same computation alone, timed just before.
double progress_steal_per_byte(TwoSidedPair& pair, Buffers& buffers, TrafficDirection direction,
                               const OverlapLoad& load, Computation& computation);

}  // namespace lapwing

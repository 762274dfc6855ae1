#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <vector>

#include "lapwing/calibrate/benchmarks/packed_copy.hpp"
#include "lapwing/calibrate/ranks/rank_pair.hpp"
#include "lapwing/compute/page_vector.hpp"

namespace lapwing {

/// What collectives make a rank do with its own memory, as MPI does it. Both ranks of a pair call
/// each benchmark and work at the same moment, as all ranks do in a collective: on one node they
/// share its memory. The result is seconds, of this rank. In simulated time it is what MPI charges.
class LocalWorkBenchmarks {
  public:
    static constexpr std::size_t bytes = PackedCopy::bytes;  ///< of a long message
    /// Of a temporary buffer that the C library takes from the system for each call.
    static constexpr std::size_t buffer_bytes = std::size_t{64} << 20;
    static constexpr int blocks = 64;  ///< doubles that do not lie together

    explicit LocalWorkBenchmarks(RankPair& pair);
    LocalWorkBenchmarks(const LocalWorkBenchmarks&) = delete;
    LocalWorkBenchmarks& operator=(const LocalWorkBenchmarks&) = delete;
    ~LocalWorkBenchmarks() = default;

    /// Adds `bytes` of doubles to as many others: `MPI_Reduce_local`.
    double combine();
    /// Copies `bytes` that lie together.
    double copy();
    /// Describes `blocks` doubles to MPI, and packs them.
    double pack_blocks();
    /// Packs as many bytes that lie together.
    double pack_whole();
    /// Allocates `buffer_bytes`, touches each page, and frees them. 0 in simulated time, where
    /// memory costs nothing.
    double touch_fresh();
    /// Touches each page of a buffer that is kept.
    double touch_kept();

  private:
    double timed(const std::function<void()>& work);
    void pack(const void* from, int count, MPI_Datatype type);

    RankPair& pair_;
    PageVector<double> own_;
    PageVector<double> other_;
    PageVector<std::byte> packed_;
    PackedCopy copy_;
    std::vector<int> places_;      ///< of the blocks, doubles
    std::vector<std::byte> kept_;  ///< empty in simulated time
};

}  // namespace lapwing

#include <algorithm>
#include <array>
#include <bit>

#include "lapwing/simulate/collectives/allgather/allgather_bine.hpp"
#include "lapwing/simulate/collectives/allgather/allgather_bine_two_blocks.hpp"
#include "lapwing/simulate/collectives/allgather/allgather_bruck.hpp"
#include "lapwing/simulate/collectives/allgather/allgather_k_bruck.hpp"
#include "lapwing/simulate/collectives/allgather/allgather_neighbour_exchange.hpp"
#include "lapwing/simulate/collectives/allgather/allgather_recursive_doubling.hpp"
#include "lapwing/simulate/collectives/allgather/allgather_ring.hpp"
#include "lapwing/simulate/collectives/allgather/allgather_sparbit.hpp"
#include "lapwing/simulate/collectives/allreduce_barrier/allreduce_bine.hpp"
#include "lapwing/simulate/collectives/allreduce_barrier/allreduce_bine_scatter_allgather.hpp"
#include "lapwing/simulate/collectives/allreduce_barrier/allreduce_bine_segmented.hpp"
#include "lapwing/simulate/collectives/allreduce_barrier/allreduce_rabenseifner.hpp"
#include "lapwing/simulate/collectives/allreduce_barrier/allreduce_recursive_doubling.hpp"
#include "lapwing/simulate/collectives/allreduce_barrier/allreduce_segmented_ring.hpp"
#include "lapwing/simulate/collectives/allreduce_barrier/barrier_dissemination.hpp"
#include "lapwing/simulate/collectives/allreduce_barrier/barrier_recursive_doubling.hpp"
#include "lapwing/simulate/collectives/alltoall/alltoall_bine.hpp"
#include "lapwing/simulate/collectives/alltoall/alltoall_bruck.hpp"
#include "lapwing/simulate/collectives/alltoall/alltoall_k_bruck.hpp"
#include "lapwing/simulate/collectives/alltoall/alltoall_pairwise.hpp"
#include "lapwing/simulate/collectives/alltoall/alltoall_ring.hpp"
#include "lapwing/simulate/collectives/alltoall/alltoall_staggered.hpp"
#include "lapwing/simulate/collectives/bcast/bcast_bine_from_cores.hpp"
#include "lapwing/simulate/collectives/bcast/bcast_binomial.hpp"
#include "lapwing/simulate/collectives/bcast/bcast_grouped.hpp"
#include "lapwing/simulate/collectives/bcast/bcast_linear.hpp"
#include "lapwing/simulate/collectives/bcast/bcast_pipelined.hpp"
#include "lapwing/simulate/collectives/bcast/bcast_split_binary.hpp"
#include "lapwing/simulate/collectives/bine/bine_block_by_block.hpp"
#include "lapwing/simulate/collectives/bine/bine_exchange.hpp"
#include "lapwing/simulate/collectives/bine/bine_scatter_tree.hpp"
#include "lapwing/simulate/collectives/bine/bine_tree.hpp"
#include "lapwing/simulate/collectives/gather_scatter/gather_binomial.hpp"
#include "lapwing/simulate/collectives/gather_scatter/scatter_binomial.hpp"
#include "lapwing/simulate/collectives/makers.hpp"
#include "lapwing/simulate/collectives/reduce/reduce_binomial.hpp"
#include "lapwing/simulate/collectives/reduce/reduce_linear.hpp"
#include "lapwing/simulate/collectives/reduce_scatter/reduce_scatter_ring.hpp"
#include "lapwing/simulate/collectives/trees/binary_tree.hpp"
#include "lapwing/simulate/collectives/trees/chain_tree.hpp"
#include "lapwing/simulate/collectives/trees/k_nomial_tree.hpp"

namespace lapwing::simulate::makers {
namespace {

/// For powers of two of ranks; with other numbers it is the plain one.
Made allgather_bine_send(const Choice& c) {
    Made plain = make<AllgatherBine>(c.ranks, blocks(c));
    if (!std::has_single_bit(c.ranks)) return plain;
    return sequence(make<BineExchange>(c.ranks, blocks(c), BineExchange::To::positions),
                    make<AllgatherBine>(c.ranks, blocks(c), AllgatherBine::Begin::position));
}

constexpr std::array for_all{
    Algorithm{"barrier", "dissemination",
              [](const Choice& c) { return make<BarrierDissemination>(c.ranks, c.size); }},
    Algorithm{"barrier", "recursive-doubling",
              [](const Choice& c) { return make<BarrierRecursiveDoubling>(c.ranks, c.size); }},
    Algorithm{"barrier", "tree",
              [](const Choice& c) {
                  return sequence(make<ReduceBinomial>(c.ranks, whole(c), Effect::learn),
                                  make<BcastBinomial>(c.ranks, whole(c), Effect::learn));
              }},
    Algorithm{"barrier", "linear",
              [](const Choice& c) {
                  return sequence(make<ReduceLinear>(c.ranks, c.size, Effect::learn),
                                  make<BcastLinear>(c.ranks, c.size, Effect::learn));
              }},

    Algorithm{"bcast", "linear",
              [](const Choice& c) { return make<BcastLinear>(c.ranks, c.size); }},
    Algorithm{"bcast", "binomial",
              [](const Choice& c) { return make<BcastBinomial>(c.ranks, whole(c)); }},
    Algorithm{"bcast", "grouped",
              [](const Choice& c) { return make<BcastGrouped>(c.ranks, c.size, c.group); }},
    Algorithm{"bcast", "chain",
              [](const Choice& c) { return make<BcastPipelined>(c.ranks, c.size, 1U); }},
    Algorithm{"bcast", "pipelined",
              [](const Choice& c) {
                  return make<BcastPipelined>(c.ranks, c.size, segments(c.size, c.segment));
              }},
    Algorithm{"bcast", "split-binary",
              [](const Choice& c) { return make<BcastSplitBinary>(c.ranks, c.size, 1U); }},
    Algorithm{"bcast", "pipelined-split-binary",
              [](const Choice& c) {
                  const std::uint64_t half = (c.size + 1) / 2;
                  return make<BcastSplitBinary>(c.ranks, c.size, segments(half, c.segment));
              }},
    Algorithm{"bcast", "scatter-ring",
              [](const Choice& c) {
                  return sequence(make<ScatterBinomial>(c.ranks, split(c)),
                                  make<AllgatherRing>(c.ranks, split(c)));
              }},
    Algorithm{"bcast", "scatter-recursive-doubling",
              [](const Choice& c) {
                  return sequence(make<ScatterBinomial>(c.ranks, split(c)),
                                  make<AllgatherRecursiveDoubling>(c.ranks, split(c)));
              }},

    Algorithm{"bcast", "binary",
              [](const Choice& c) { return bcast_tree(BinaryTree{c.ranks}, c); }},
    Algorithm{"bcast", "pipelined-binary",
              [](const Choice& c) {
                  return bcast_tree(BinaryTree{c.ranks}, c, segments(c.size, c.segment));
              }},
    Algorithm{"bcast", "k-nomial",
              [](const Choice& c) { return bcast_tree(KNomialTree(c.ranks, c.radix), c); }},
    Algorithm{"bcast", "chains",
              [](const Choice& c) { return bcast_tree(ChainTree(c.ranks, c.radix), c); }},
    Algorithm{"bcast", "bine", [](const Choice& c) { return bcast_tree(BineTree(c.ranks), c); }},
    Algorithm{"bcast", "bine-scatter-allgather",
              [](const Choice& c) {
                  return sequence(scatter_tree(BineScatterTree(c.ranks), c, core_blocks(c)),
                                  make<BcastBineFromCores>(c.ranks, core_blocks(c)));
              }},

    Algorithm{"alltoall", "linear",
              [](const Choice& c) {
                  const Rank all = std::max<Rank>(1, c.ranks - 1);
                  return make<AlltoallStaggered>(c.ranks, c.size, all);
              }},
    Algorithm{"alltoall", "pairwise",
              [](const Choice& c) {
                  return std::has_single_bit(c.ranks) ? make<AlltoallPairwise>(c.ranks, c.size)
                                                      : make<AlltoallRing>(c.ranks, c.size);
              }},
    Algorithm{"alltoall", "bruck",
              [](const Choice& c) { return make<AlltoallBruck>(c.ranks, c.size); }},
    Algorithm{"alltoall", "ring",
              [](const Choice& c) { return make<AlltoallRing>(c.ranks, c.size); }},
    Algorithm{"alltoall", "staggered",
              [](const Choice& c) {
                  const Rank all = std::max<Rank>(1, c.ranks - 1);
                  return make<AlltoallStaggered>(c.ranks, c.size, std::min(c.window, all));
              }},

    Algorithm{"alltoall", "linear-sync",
              [](const Choice& c) {
                  const Rank all = std::max<Rank>(1, c.ranks - 1);
                  return make<AlltoallStaggered>(c.ranks, c.size, all);
              }},
    Algorithm{"alltoall", "k-bruck",
              [](const Choice& c) { return make<AlltoallKBruck>(c.ranks, c.size, c.radix); }},
    Algorithm{"alltoall", "bine",
              [](const Choice& c) {
                  return std::has_single_bit(c.ranks) ? make<AlltoallBine>(c.ranks, c.size)
                                                      : make<AlltoallBruck>(c.ranks, c.size);
              }},

    Algorithm{"allgather", "ring",
              [](const Choice& c) { return make<AllgatherRing>(c.ranks, blocks(c)); }},
    Algorithm{"allgather", "recursive-doubling",
              [](const Choice& c) { return make<AllgatherRecursiveDoubling>(c.ranks, blocks(c)); }},
    Algorithm{"allgather", "bruck",
              [](const Choice& c) { return make<AllgatherBruck>(c.ranks, blocks(c)); }},
    Algorithm{"allgather", "neighbour-exchange",
              [](const Choice& c) {
                  return c.ranks % 2 == 0 ? make<AllgatherNeighbourExchange>(c.ranks, blocks(c))
                                          : make<AllgatherRing>(c.ranks, blocks(c));
              }},

    Algorithm{"allgather", "sparbit",
              [](const Choice& c) { return make<AllgatherSparbit>(c.ranks, blocks(c)); }},
    Algorithm{"allgather", "k-bruck",
              [](const Choice& c) { return make<AllgatherKBruck>(c.ranks, blocks(c), c.radix); }},
    Algorithm{"allgather", "gather-bcast",
              [](const Choice& c) {
                  return sequence(make<GatherBinomial>(c.ranks, blocks(c)),
                                  make<BcastBinomial>(c.ranks, blocks(c)));
              }},
    Algorithm{"allgather", "bine",
              [](const Choice& c) { return make<AllgatherBine>(c.ranks, blocks(c)); }},
    Algorithm{"allgather", "bine-two-blocks",
              [](const Choice& c) { return make<AllgatherBineTwoBlocks>(c.ranks, blocks(c)); }},
    Algorithm{"allgather", "bine-send", allgather_bine_send},
    Algorithm{"allgather", "bine-block-by-block",
              [](const Choice& c) {
                  return bine_block_by_block<AllgatherBine>(c, BineBlockByBlock::Kind::allgather);
              }},

    Algorithm{"allreduce", "recursive-doubling",
              [](const Choice& c) { return make<AllreduceRecursiveDoubling>(c.ranks, c.size); }},
    Algorithm{"allreduce", "ring",
              [](const Choice& c) {
                  return sequence(make<ReduceScatterRing>(c.ranks, split(c), false),
                                  make<AllgatherRing>(c.ranks, split(c)));
              }},
    Algorithm{"allreduce", "rabenseifner",
              [](const Choice& c) { return make<AllreduceRabenseifner>(c.ranks, c.size); }},
    Algorithm{"allreduce", "reduce-bcast",
              [](const Choice& c) {
                  return sequence(make<ReduceBinomial>(c.ranks, whole(c)),
                                  make<BcastBinomial>(c.ranks, whole(c)));
              }},

    Algorithm{"allreduce", "linear",
              [](const Choice& c) {
                  return sequence(make<ReduceLinear>(c.ranks, c.size),
                                  make<BcastLinear>(c.ranks, c.size));
              }},
    Algorithm{"allreduce", "segmented-ring",
              [](const Choice& c) {
                  const std::uint64_t block = (c.size + c.ranks - 1) / c.ranks;
                  return make<AllreduceSegmentedRing>(c.ranks, c.size, segments(block, c.segment));
              }},
    Algorithm{"allreduce", "allgather-reduce",
              [](const Choice& c) { return make<AllgatherRecursiveDoubling>(c.ranks, blocks(c)); }},
    Algorithm{"allreduce", "bine",
              [](const Choice& c) { return make<AllreduceBine>(c.ranks, c.size); }},
    Algorithm{"allreduce", "bine-scatter-allgather",
              [](const Choice& c) { return make<AllreduceBineScatterAllgather>(c.ranks, c.size); }},
    Algorithm{"allreduce", "bine-segmented",
              [](const Choice& c) {
                  const std::uint64_t cores = std::bit_floor(c.ranks);
                  const std::uint64_t block = (c.size + cores - 1) / cores;
                  return make<AllreduceBineSegmented>(c.ranks, c.size, segments(block, c.segment),
                                                      c.segment);
              }},
};

}  // namespace

std::span<const Algorithm> algorithms_for_all() { return for_all; }

}  // namespace lapwing::simulate::makers

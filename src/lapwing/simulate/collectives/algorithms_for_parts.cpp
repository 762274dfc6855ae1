#include <array>
#include <bit>

#include "lapwing/simulate/collectives/bine/bine_block_by_block.hpp"
#include "lapwing/simulate/collectives/bine/bine_exchange.hpp"
#include "lapwing/simulate/collectives/bine/bine_scatter_tree.hpp"
#include "lapwing/simulate/collectives/bine/bine_tree.hpp"
#include "lapwing/simulate/collectives/gather_scatter/gather_binomial.hpp"
#include "lapwing/simulate/collectives/gather_scatter/gather_linear.hpp"
#include "lapwing/simulate/collectives/gather_scatter/gather_linear_sync.hpp"
#include "lapwing/simulate/collectives/gather_scatter/scatter_binomial.hpp"
#include "lapwing/simulate/collectives/gather_scatter/scatter_linear.hpp"
#include "lapwing/simulate/collectives/makers.hpp"
#include "lapwing/simulate/collectives/reduce/pass_to_root.hpp"
#include "lapwing/simulate/collectives/reduce/reduce_bine_to_cores.hpp"
#include "lapwing/simulate/collectives/reduce/reduce_binomial.hpp"
#include "lapwing/simulate/collectives/reduce/reduce_k_nomial.hpp"
#include "lapwing/simulate/collectives/reduce/reduce_linear.hpp"
#include "lapwing/simulate/collectives/reduce/reduce_scatter_gather.hpp"
#include "lapwing/simulate/collectives/reduce_scatter/reduce_scatter_bine.hpp"
#include "lapwing/simulate/collectives/reduce_scatter/reduce_scatter_butterfly.hpp"
#include "lapwing/simulate/collectives/reduce_scatter/reduce_scatter_pairwise.hpp"
#include "lapwing/simulate/collectives/reduce_scatter/reduce_scatter_recursive_doubling.hpp"
#include "lapwing/simulate/collectives/reduce_scatter/reduce_scatter_recursive_halving.hpp"
#include "lapwing/simulate/collectives/reduce_scatter/reduce_scatter_ring.hpp"
#include "lapwing/simulate/collectives/trees/binary_tree.hpp"
#include "lapwing/simulate/collectives/trees/chain_tree.hpp"
#include "lapwing/simulate/collectives/trees/in_order_binary_tree.hpp"
#include "lapwing/simulate/collectives/trees/k_nomial_tree.hpp"
#include "lapwing/simulate/collectives/trees/reversed_tree.hpp"

namespace lapwing::simulate::makers {
namespace {

/// For powers of two of ranks; with other numbers it is the plain one.
Made reduce_scatter_bine_send(const Choice& c) {
    if (!std::has_single_bit(c.ranks)) return make<ReduceScatterBine>(c.ranks, blocks(c));
    return sequence(make<ReduceScatterBine>(c.ranks, blocks(c), ReduceScatterBine::End::position),
                    make<BineExchange>(c.ranks, blocks(c), BineExchange::To::ranks));
}

constexpr std::array for_parts{
    Algorithm{"reduce", "binomial",
              [](const Choice& c) { return make<ReduceBinomial>(c.ranks, whole(c)); }},
    Algorithm{"reduce", "linear",
              [](const Choice& c) { return make<ReduceLinear>(c.ranks, c.size); }},
    Algorithm{"reduce", "scatter-gather",
              [](const Choice& c) {
                  const Parts parts = Parts::split(c.size, std::bit_floor(c.ranks));
                  return sequence(make<ReduceToCores>(c.ranks, parts),
                                  make<GatherFromCores>(c.ranks, parts));
              }},

    Algorithm{"reduce", "chain",
              [](const Choice& c) { return reduce_tree(ChainTree(c.ranks, 1), c); }},
    Algorithm{"reduce", "pipelined",
              [](const Choice& c) {
                  return reduce_tree(ChainTree(c.ranks, 1), c, segments(c.size, c.segment));
              }},
    Algorithm{"reduce", "chains",
              [](const Choice& c) { return reduce_tree(ChainTree(c.ranks, c.radix), c); }},
    Algorithm{"reduce", "binary",
              [](const Choice& c) { return reduce_tree(BinaryTree{c.ranks}, c); }},
    Algorithm{"reduce", "pipelined-binary",
              [](const Choice& c) {
                  return reduce_tree(BinaryTree{c.ranks}, c, segments(c.size, c.segment));
              }},
    Algorithm{"reduce", "in-order-binary",
              [](const Choice& c) {
                  return sequence(reduce_tree(InOrderBinaryTree(c.ranks), c),
                                  make<PassToRoot>(c.ranks, whole(c)));
              }},
    Algorithm{"reduce", "k-nomial",
              [](const Choice& c) { return make<ReduceKNomial>(c.ranks, whole(c), c.radix); }},
    Algorithm{
        "reduce", "bine",
        [](const Choice& c) { return reduce_tree(ReversedTree<BineTree>{BineTree(c.ranks)}, c); }},
    Algorithm{"reduce", "bine-scatter-gather",
              [](const Choice& c) {
                  return sequence(make<ReduceBineToCores>(c.ranks, core_blocks(c)),
                                  gather_tree(BineScatterTree(c.ranks), c, core_blocks(c)));
              }},

    Algorithm{
        "reduce_scatter", "recursive-halving",
        [](const Choice& c) { return make<ReduceScatterRecursiveHalving>(c.ranks, blocks(c)); }},
    Algorithm{"reduce_scatter", "pairwise",
              [](const Choice& c) { return make<ReduceScatterPairwise>(c.ranks, blocks(c)); }},
    Algorithm{"reduce_scatter", "ring",
              [](const Choice& c) { return make<ReduceScatterRing>(c.ranks, blocks(c), true); }},
    Algorithm{"reduce_scatter", "reduce-scatter",
              [](const Choice& c) {
                  return sequence(make<ReduceBinomial>(c.ranks, blocks(c)),
                                  make<ScatterBinomial>(c.ranks, blocks(c)));
              }},

    Algorithm{
        "reduce_scatter", "recursive-doubling",
        [](const Choice& c) { return make<ReduceScatterRecursiveDoubling>(c.ranks, blocks(c)); }},
    Algorithm{"reduce_scatter", "butterfly",
              [](const Choice& c) {
                  return sequence(make<ReduceToMirrors>(c.ranks, blocks(c)),
                                  make<SendToMirrors>(c.ranks, blocks(c)));
              }},
    Algorithm{"reduce_scatter", "bine",
              [](const Choice& c) { return make<ReduceScatterBine>(c.ranks, blocks(c)); }},
    Algorithm{"reduce_scatter", "bine-send", reduce_scatter_bine_send},
    Algorithm{"reduce_scatter", "bine-block-by-block",
              [](const Choice& c) {
                  return bine_block_by_block<ReduceScatterBine>(
                      c, BineBlockByBlock::Kind::reduce_scatter);
              }},

    Algorithm{"gather", "binomial",
              [](const Choice& c) { return make<GatherBinomial>(c.ranks, blocks(c)); }},
    Algorithm{"gather", "linear",
              [](const Choice& c) { return make<GatherLinear>(c.ranks, blocks(c)); }},
    Algorithm{"gather", "linear-sync",
              [](const Choice& c) { return make<GatherLinearSync>(c.ranks, blocks(c)); }},
    Algorithm{
        "gather", "k-nomial",
        [](const Choice& c) { return gather_tree(KNomialTree(c.ranks, c.radix), c, blocks(c)); }},
    Algorithm{"gather", "bine",
              [](const Choice& c) { return gather_tree(BineTree(c.ranks), c, blocks(c)); }},

    Algorithm{"gatherv", "linear",
              [](const Choice& c) { return make<GatherLinear>(c.ranks, blocks_v(c)); }},
    Algorithm{"gatherv", "binomial",
              [](const Choice& c) { return make<GatherBinomial>(c.ranks, blocks_v(c)); }},
    Algorithm{"scatter", "binomial",
              [](const Choice& c) { return make<ScatterBinomial>(c.ranks, blocks(c)); }},
    Algorithm{"scatter", "binomial-nearest-first",
              [](const Choice& c) {
                  return make<ScatterBinomial>(c.ranks, blocks(c), ScatterBinomial::First::nearest);
              }},
    Algorithm{"scatter", "linear",
              [](const Choice& c) { return make<ScatterLinear>(c.ranks, blocks(c)); }},
    Algorithm{
        "scatter", "k-nomial",
        [](const Choice& c) { return scatter_tree(KNomialTree(c.ranks, c.radix), c, blocks(c)); }},
    Algorithm{"scatter", "bine",
              [](const Choice& c) { return scatter_tree(BineTree(c.ranks), c, blocks(c)); }},

    Algorithm{"scatterv", "linear",
              [](const Choice& c) { return make<ScatterLinear>(c.ranks, blocks_v(c)); }},
    Algorithm{"scatterv", "binomial",
              [](const Choice& c) { return make<ScatterBinomial>(c.ranks, blocks_v(c)); }},
    Algorithm{"scatterv", "binomial-nearest-first",
              [](const Choice& c) {
                  return make<ScatterBinomial>(c.ranks, blocks_v(c),
                                               ScatterBinomial::First::nearest);
              }},
};

}  // namespace

std::span<const Algorithm> algorithms_for_parts() { return for_parts; }

}  // namespace lapwing::simulate::makers

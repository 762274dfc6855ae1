#include "lapwing/predict/algorithms.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "lapwing/model/collectives/allgather.hpp"
#include "lapwing/model/collectives/allreduce.hpp"
#include "lapwing/model/collectives/alltoall.hpp"
#include "lapwing/model/collectives/barrier.hpp"
#include "lapwing/model/collectives/bcast.hpp"
#include "lapwing/model/collectives/gather.hpp"
#include "lapwing/model/collectives/reduce.hpp"
#include "lapwing/model/collectives/reduce_scatter.hpp"
#include "lapwing/model/collectives/scatter.hpp"
#include "lapwing/simulate/collectives/make_collective.hpp"

namespace lapwing {
namespace {

using Count = std::uint64_t;
using model::Network;

// The largest message of an algorithm.
Count whole(Count, Count size) { return size; }
Count half(Count, Count size) { return model::share(size, 2); }
Count part(Count ranks, Count size) { return model::share(size, ranks); }
Count segment(Count, Count size) { return std::min(size, simulate::CollectiveChoice{}.segment); }
Count two_blocks(Count ranks, Count size) { return ranks > 2 ? 2 * size : size; }
Count half_of_blocks(Count ranks, Count size) { return size * (ranks / 2); }
Count all_blocks(Count ranks, Count size) { return size * ranks; }
/// Half of the blocks, and of other than powers of two all that are handed over or back.
Count folded_blocks(Count ranks, Count size) {
    return std::has_single_bit(ranks) ? half_of_blocks(ranks, size) : all_blocks(ranks, size);
}
Count folded_half(Count ranks, Count size) {
    return std::has_single_bit(ranks) ? half(ranks, size) : size;
}
Count bruck_blocks(Count ranks, Count size) { return size * ((ranks + 1) / 2); }

constexpr std::array algorithms{
    Algorithm{"barrier", "dissemination", model::barrier::dissemination, whole},
    Algorithm{"barrier", "recursive-doubling", model::barrier::recursive_doubling, whole},
    Algorithm{"barrier", "tree", model::barrier::tree, whole},
    Algorithm{"barrier", "linear", model::barrier::linear, whole},

    Algorithm{"bcast", "linear", model::bcast::linear, whole},
    Algorithm{"bcast", "binomial", model::bcast::binomial, whole},
    Algorithm{"bcast", "chain", model::bcast::chain, whole},
    Algorithm{"bcast", "pipelined",
              [](const Network& network, Count ranks, Count size) {
                  return model::bcast::pipelined(network, ranks, size,
                                                 simulate::CollectiveChoice{}.segment);
              },
              segment},
    Algorithm{"bcast", "split-binary",
              [](const Network& network, Count ranks, Count size) {
                  return model::bcast::split_binary(network, ranks, size,
                                                    simulate::CollectiveChoice{}.segment);
              },
              half},
    Algorithm{"bcast", "scatter-ring", model::bcast::scatter_ring, half},
    Algorithm{"bcast", "scatter-recursive-doubling", model::bcast::scatter_recursive_doubling,
              folded_half},

    Algorithm{"alltoall", "linear", model::alltoall::linear, whole},
    Algorithm{"alltoall", "pairwise", model::alltoall::pairwise, whole},
    Algorithm{"alltoall", "bruck", model::alltoall::bruck, bruck_blocks},
    Algorithm{"alltoall", "ring", model::alltoall::ring, whole},
    Algorithm{"alltoall", "staggered",
              [](const Network& network, Count ranks, Count size) {
                  return model::alltoall::staggered(network, ranks, size,
                                                    simulate::CollectiveChoice{}.window);
              },
              whole},

    Algorithm{"allgather", "ring", model::allgather::ring, whole},
    Algorithm{"allgather", "recursive-doubling", model::allgather::recursive_doubling,
              folded_blocks},
    Algorithm{"allgather", "bruck", model::allgather::bruck, half_of_blocks},
    Algorithm{"allgather", "neighbour-exchange", model::allgather::neighbour_exchange, two_blocks},

    Algorithm{"allreduce", "recursive-doubling", model::allreduce::recursive_doubling, whole},
    Algorithm{"allreduce", "ring", model::allreduce::ring, part},
    Algorithm{"allreduce", "rabenseifner", model::allreduce::rabenseifner, folded_half},
    Algorithm{"allreduce", "reduce-bcast", model::allreduce::reduce_bcast, whole},

    Algorithm{"reduce", "binomial", model::reduce::binomial, whole},
    Algorithm{"reduce", "linear", model::reduce::linear, whole},
    Algorithm{"reduce", "scatter-gather", model::reduce::scatter_gather, folded_half},

    Algorithm{"reduce_scatter", "recursive-halving", model::reduce_scatter::recursive_halving,
              folded_blocks},
    Algorithm{"reduce_scatter", "pairwise", model::reduce_scatter::pairwise, whole},
    Algorithm{"reduce_scatter", "ring", model::reduce_scatter::ring, whole},
    Algorithm{"reduce_scatter", "reduce-scatter", model::reduce_scatter::reduce_then_scatter,
              all_blocks},

    Algorithm{"gather", "binomial", model::gather::binomial, half_of_blocks},
    Algorithm{"gather", "linear", model::gather::linear, whole},
    Algorithm{"gatherv", "linear", model::gather::linear, whole},
    Algorithm{"gatherv", "binomial", model::gather::binomial, half_of_blocks},
    Algorithm{"scatter", "binomial", model::scatter::binomial, half_of_blocks},
    Algorithm{"scatter", "linear", model::scatter::linear, whole},
    Algorithm{"scatterv", "linear", model::scatter::linear, whole},
    Algorithm{"scatterv", "binomial", model::scatter::binomial, half_of_blocks},
};

}  // namespace

const Algorithm* find_algorithm(std::string_view operation, std::string_view name) {
    const auto* const found = std::find_if(
        algorithms.begin(), algorithms.end(),
        [&](const Algorithm& each) { return each.operation == operation && each.name == name; });
    return found == algorithms.end() ? nullptr : found;
}

}  // namespace lapwing

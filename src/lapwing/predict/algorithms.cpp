#include "lapwing/predict/algorithms.hpp"

#include <algorithm>
#include <array>

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
Count segment(Count, Count size) { return std::min(size, simulate::usual_segment); }
Count two_blocks(Count ranks, Count size) { return ranks > 2 ? 2 * size : size; }
Count half_of_blocks(Count ranks, Count size) { return size * (ranks / 2); }
Count all_blocks(Count ranks, Count size) { return size * ranks; }
/// Half of the blocks, and of other than powers of two all that are handed over or back.
Count folded_blocks(Count ranks, Count size) {
    return model::power_of_two(ranks) ? half_of_blocks(ranks, size) : all_blocks(ranks, size);
}
Count folded_half(Count ranks, Count size) {
    return model::power_of_two(ranks) ? half(ranks, size) : size;
}
Count bruck_blocks(Count ranks, Count size) { return size * ((ranks + 1) / 2); }

// How many messages.
double one(Count, Count) { return 1; }
double each(Count ranks, Count) { return 2 * static_cast<double>(ranks); }
double logarithm(Count ranks, Count) {
    return static_cast<double>(ranks) * (2 * model::ceil_log(ranks) + 1);
}
double pairs(Count ranks, Count) { return static_cast<double>(ranks) * static_cast<double>(ranks); }
double pairs_twice(Count ranks, Count size) { return 2 * pairs(ranks, size); }
double segments(Count ranks, Count size) {
    return static_cast<double>(ranks) *
           static_cast<double>(model::share(size, simulate::usual_segment) + 1);
}

constexpr std::array algorithms{
    Algorithm{"send", "direct",
              [](const Network& network, Count, Count size) {
                  return network.message(static_cast<double>(size), 1).total();
              },
              whole, one},

    Algorithm{"barrier", "dissemination", model::barrier::dissemination, whole, logarithm},
    Algorithm{"barrier", "recursive-doubling", model::barrier::recursive_doubling, whole,
              logarithm},
    Algorithm{"barrier", "tree", model::barrier::tree, whole, each},
    Algorithm{"barrier", "linear", model::barrier::linear, whole, each},

    Algorithm{"bcast", "linear", model::bcast::linear, whole, each},
    Algorithm{"bcast", "binomial", model::bcast::binomial, whole, each},
    Algorithm{"bcast", "grouped",
              [](const Network& network, Count ranks, Count size) {
                  return model::bcast::grouped(network, ranks, size, simulate::usual_group);
              },
              whole, each},
    Algorithm{"bcast", "chain", model::bcast::chain, whole, each},
    Algorithm{"bcast", "pipelined",
              [](const Network& network, Count ranks, Count size) {
                  return model::bcast::pipelined(network, ranks, size, simulate::usual_segment);
              },
              segment, segments},
    Algorithm{"bcast", "split-binary",
              [](const Network& network, Count ranks, Count size) {
                  return model::bcast::split_binary(network, ranks, size, simulate::usual_segment);
              },
              half, segments},
    Algorithm{"bcast", "scatter-ring", model::bcast::scatter_ring, half, pairs},
    Algorithm{"bcast", "scatter-recursive-doubling", model::bcast::scatter_recursive_doubling,
              folded_half, logarithm},

    Algorithm{"alltoall", "linear", model::alltoall::linear, whole, pairs},
    Algorithm{"alltoall", "pairwise", model::alltoall::pairwise, whole, pairs},
    Algorithm{"alltoall", "bruck", model::alltoall::bruck, bruck_blocks, logarithm},
    Algorithm{"alltoall", "ring", model::alltoall::ring, whole, pairs},
    Algorithm{"alltoall", "staggered",
              [](const Network& network, Count ranks, Count size) {
                  return model::alltoall::staggered(network, ranks, size, simulate::usual_window);
              },
              whole, pairs},

    Algorithm{"allgather", "ring", model::allgather::ring, whole, pairs},
    Algorithm{"allgather", "recursive-doubling", model::allgather::recursive_doubling,
              folded_blocks, logarithm},
    Algorithm{"allgather", "bruck", model::allgather::bruck, half_of_blocks, logarithm},
    Algorithm{"allgather", "neighbour-exchange", model::allgather::neighbour_exchange, two_blocks,
              pairs},

    Algorithm{"allreduce", "recursive-doubling", model::allreduce::recursive_doubling, whole,
              logarithm},
    Algorithm{"allreduce", "ring", model::allreduce::ring, part, pairs_twice},
    Algorithm{"allreduce", "rabenseifner", model::allreduce::rabenseifner, folded_half, logarithm},
    Algorithm{"allreduce", "reduce-bcast", model::allreduce::reduce_bcast, whole, each},

    Algorithm{"reduce", "binomial", model::reduce::binomial, whole, each},
    Algorithm{"reduce", "linear", model::reduce::linear, whole, each},
    Algorithm{"reduce", "scatter-gather", model::reduce::scatter_gather, folded_half, logarithm},

    Algorithm{"reduce_scatter", "recursive-halving", model::reduce_scatter::recursive_halving,
              folded_blocks, logarithm},
    Algorithm{"reduce_scatter", "pairwise", model::reduce_scatter::pairwise, whole, pairs},
    Algorithm{"reduce_scatter", "ring", model::reduce_scatter::ring, whole, pairs},
    Algorithm{"reduce_scatter", "reduce-scatter", model::reduce_scatter::reduce_then_scatter,
              all_blocks, each},

    Algorithm{"gather", "binomial", model::gather::binomial, half_of_blocks, each},
    Algorithm{"gather", "linear", model::gather::linear, whole, each},
    Algorithm{"gatherv", "linear", model::gather::linear, whole, each},
    Algorithm{"gatherv", "binomial", model::gather::binomial, half_of_blocks, each},
    Algorithm{"scatter", "binomial", model::scatter::binomial, half_of_blocks, each},
    Algorithm{"scatter", "binomial-nearest-first", model::scatter::binomial_nearest_first,
              half_of_blocks, each},
    Algorithm{"scatter", "linear", model::scatter::linear, whole, each},
    Algorithm{"scatterv", "linear", model::scatter::linear, whole, each},
    Algorithm{"scatterv", "binomial", model::scatter::binomial, half_of_blocks, each},
    Algorithm{"scatterv", "binomial-nearest-first", model::scatter::binomial_nearest_first,
              half_of_blocks, each},
};

}  // namespace

const Algorithm* find_algorithm(std::string_view operation, std::string_view name) {
    const auto* const found = std::find_if(
        algorithms.begin(), algorithms.end(),
        [&](const Algorithm& each) { return each.operation == operation && each.name == name; });
    return found == algorithms.end() ? nullptr : found;
}

}  // namespace lapwing

#include "lapwing/predict/algorithms.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

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

// Bytes of the largest message of an algorithm, or of its first.
Count whole(Count, Count size) { return size; }
Count half(Count, Count size) { return model::share(size, 2); }
Count part(Count ranks, Count size) { return model::share(size, ranks); }
Count segment(Count, Count size) { return std::min(size, simulate::default_segment); }
Count first_segment(Count ranks, Count size) { return segment(ranks, half(ranks, size)); }
Count two_blocks(Count ranks, Count size) { return ranks > 2 ? 2 * size : size; }
Count half_of_blocks(Count ranks, Count size) { return size * (ranks / 2); }
Count all_blocks(Count ranks, Count size) { return size * ranks; }
/// Half of the blocks. If the ranks are no power of two, some of them hand all blocks over or back.
Count doubling_blocks(Count ranks, Count size) {
    return model::power_of_two(ranks) ? half_of_blocks(ranks, size) : all_blocks(ranks, size);
}
Count doubling_half(Count ranks, Count size) {
    return model::power_of_two(ranks) ? half(ranks, size) : size;
}
Count bruck_blocks(Count ranks, Count size) { return size * ((ranks + 1) / 2); }
/// The largest power of the radix below the number of ranks.
Count below_ranks(Count ranks) {
    Count power = 1;
    while (power * simulate::default_radix < ranks) power *= simulate::default_radix;
    return power;
}
Count radix_blocks(Count ranks, Count size) { return size * below_ranks(ranks); }
Count digit_blocks(Count ranks, Count size) {
    const Count power = below_ranks(ranks);
    const Count cycle = power * simulate::default_radix;
    return size * std::min(power, ranks - ranks / cycle * cycle - power + ranks / cycle * power);
}
/// Among cores at most twice as many ranks as cores.
Count bine_blocks(Count ranks, Count size) {
    return model::power_of_two(ranks) ? half_of_blocks(ranks, size) : size * (ranks - 1);
}
Count bine_all_to_all(Count ranks, Count size) {
    return model::power_of_two(ranks) ? half_of_blocks(ranks, size) : bruck_blocks(ranks, size);
}
Count block_or_all(Count ranks, Count size) {
    return model::power_of_two(ranks) ? size : all_blocks(ranks, size);
}
Count segment_or_all(Count ranks, Count size) {
    return model::power_of_two(ranks) ? half(ranks, size) : size;
}

// The approximate number of messages.
double one(Count, Count) { return 1; }
double each(Count ranks, Count) { return 2 * static_cast<double>(ranks); }
double logarithm(Count ranks, Count) {
    return static_cast<double>(ranks) * (2 * model::ceil_log(ranks) + 1);
}
double pairs(Count ranks, Count) { return static_cast<double>(ranks) * static_cast<double>(ranks); }
double pairs_twice(Count ranks, Count size) { return 2 * pairs(ranks, size); }
/// With a message for each rank `2^k` at once in round k.
double half_pairs(Count ranks, Count size) {
    return model::power_of_two(ranks) ? pairs(ranks, size) : logarithm(ranks, size);
}
double ports(Count ranks, Count) {
    return static_cast<double>(ranks) * (simulate::default_radix - 1) *
           (model::ceil_log(ranks) + 1) / 2;
}
double ring_segments(Count ranks, Count size) {
    const Count phases =
        std::max<Count>(1, model::share(part(ranks, size), simulate::default_segment));
    return pairs(ranks, size) * static_cast<double>(phases + 1);
}
double bine_segments(Count ranks, Count size) {
    const Count cores = Count{1} << model::floor_log(ranks);
    const Count pieces =
        std::max<Count>(1, model::share(part(cores, size), simulate::default_segment));
    return static_cast<double>(cores) * static_cast<double>(cores * pieces) +
           logarithm(ranks, size);
}
double segments(Count ranks, Count size) {
    return static_cast<double>(ranks) *
           static_cast<double>(model::share(size, simulate::default_segment) + 1);
}

/// Calls a closed form, with the cutoff if it takes one.
template <auto form>
double timed(const Network& network, Count ranks, Count size, double cutoff) {
    if constexpr (std::is_invocable_v<decltype(form), const Network&, Count, Count, double>)
        return form(network, ranks, size, cutoff);
    else
        return form(network, ranks, size);
}

// Algorithms with parameters, at their usual values.
double direct(const Network& network, Count, Count size) {
    return network.message(static_cast<double>(size), 1).total();
}
double grouped(const Network& network, Count ranks, Count size, double cutoff) {
    return model::bcast::grouped(network, ranks, size, simulate::default_group, cutoff);
}
double pipelined(const Network& network, Count ranks, Count size) {
    return model::bcast::pipelined(network, ranks, size, simulate::default_segment);
}
double split_binary(const Network& network, Count ranks, Count size) {
    return model::bcast::split_binary(network, ranks, size, size);
}
double pipelined_split_binary(const Network& network, Count ranks, Count size) {
    return model::bcast::split_binary(network, ranks, size, simulate::default_segment);
}
double staggered(const Network& network, Count ranks, Count size) {
    return model::alltoall::staggered(network, ranks, size, simulate::default_window);
}

double pipelined_binary(const Network& network, Count ranks, Count size, double cutoff) {
    return model::bcast::pipelined_binary(network, ranks, size, simulate::default_segment, cutoff);
}
double reduce_pipelined(const Network& network, Count ranks, Count size) {
    return model::reduce::pipelined(network, ranks, size, simulate::default_segment);
}
double reduce_pipelined_binary(const Network& network, Count ranks, Count size, double cutoff) {
    return model::reduce::pipelined_binary(network, ranks, size, simulate::default_segment, cutoff);
}
double segmented_ring(const Network& network, Count ranks, Count size) {
    return model::allreduce::segmented_ring(network, ranks, size, simulate::default_segment);
}
double bine_segmented(const Network& network, Count ranks, Count size) {
    return model::allreduce::bine_segmented(network, ranks, size, simulate::default_segment);
}
/// A closed form with a radix, with the cutoff if it takes one.
template <auto form>
double of_radix(const Network& network, Count ranks, Count size, double cutoff) {
    if constexpr (std::is_invocable_v<decltype(form), const Network&, Count, Count, Count, double>)
        return form(network, ranks, size, simulate::default_radix, cutoff);
    else
        return form(network, ranks, size, simulate::default_radix);
}

constexpr std::array algorithms{
    Algorithm{"send", "direct", timed<direct>, whole, whole, one},

    Algorithm{"barrier", "dissemination", timed<model::barrier::dissemination>, whole, whole,
              logarithm},
    Algorithm{"barrier", "recursive-doubling", timed<model::barrier::recursive_doubling>, whole,
              whole, logarithm},
    Algorithm{"barrier", "tree", timed<model::barrier::tree>, whole, whole, each},
    Algorithm{"barrier", "linear", timed<model::barrier::linear>, whole, whole, each},

    Algorithm{"bcast", "linear", timed<model::bcast::linear>, whole, whole, each},
    Algorithm{"bcast", "binomial", timed<model::bcast::binomial>, whole, whole, each},
    Algorithm{"bcast", "grouped", timed<grouped>, whole, whole, each},
    Algorithm{"bcast", "chain", timed<model::bcast::chain>, whole, whole, each},
    Algorithm{"bcast", "pipelined", timed<pipelined>, segment, segment, segments},
    Algorithm{"bcast", "split-binary", timed<split_binary>, half, half, each},
    Algorithm{"bcast", "pipelined-split-binary", timed<pipelined_split_binary>, half, first_segment,
              segments},
    Algorithm{"bcast", "scatter-ring", timed<model::bcast::scatter_ring>, half, half, pairs},
    Algorithm{"bcast", "scatter-recursive-doubling",
              timed<model::bcast::scatter_recursive_doubling>, doubling_half, doubling_half,
              logarithm},
    Algorithm{"bcast", "binary", timed<model::bcast::binary>, whole, whole, each},
    Algorithm{"bcast", "pipelined-binary", timed<pipelined_binary>, segment, segment, segments},
    Algorithm{"bcast", "k-nomial", timed<of_radix<model::bcast::k_nomial>>, whole, whole, each},
    Algorithm{"bcast", "chains", timed<of_radix<model::bcast::chains>>, whole, whole, each},
    Algorithm{"bcast", "bine", timed<model::bcast::bine>, whole, whole, each},
    Algorithm{"bcast", "bine-scatter-allgather", timed<model::bcast::bine_scatter_allgather>,
              doubling_half, doubling_half, logarithm},

    Algorithm{"alltoall", "linear", timed<model::alltoall::linear>, whole, whole, pairs},
    Algorithm{"alltoall", "pairwise", timed<model::alltoall::pairwise>, whole, whole, pairs},
    Algorithm{"alltoall", "bruck", timed<model::alltoall::bruck>, bruck_blocks, bruck_blocks,
              logarithm},
    Algorithm{"alltoall", "ring", timed<model::alltoall::ring>, whole, whole, pairs},
    Algorithm{"alltoall", "staggered", timed<staggered>, whole, whole, pairs},
    Algorithm{"alltoall", "linear-sync", timed<model::alltoall::linear>, whole, whole, pairs},
    Algorithm{"alltoall", "k-bruck", timed<of_radix<model::alltoall::k_bruck>>, digit_blocks,
              digit_blocks, ports},
    Algorithm{"alltoall", "bine", timed<model::alltoall::bine>, bine_all_to_all, bine_all_to_all,
              logarithm},

    Algorithm{"allgather", "ring", timed<model::allgather::ring>, whole, whole, pairs},
    Algorithm{"allgather", "recursive-doubling", timed<model::allgather::recursive_doubling>,
              doubling_blocks, whole, logarithm},
    Algorithm{"allgather", "bruck", timed<model::allgather::bruck>, half_of_blocks, whole,
              logarithm},
    Algorithm{"allgather", "neighbour-exchange", timed<model::allgather::neighbour_exchange>,
              two_blocks, whole, pairs},
    Algorithm{"allgather", "sparbit", timed<model::allgather::sparbit>, whole, whole, pairs},
    Algorithm{"allgather", "k-bruck", timed<of_radix<model::allgather::k_bruck>>, radix_blocks,
              whole, ports},
    Algorithm{"allgather", "gather-bcast", timed<model::allgather::gather_bcast>, all_blocks, whole,
              each},
    Algorithm{"allgather", "bine", timed<model::allgather::bine>, doubling_blocks, whole,
              logarithm},
    Algorithm{"allgather", "bine-two-blocks", timed<model::allgather::bine_two_blocks>,
              doubling_blocks, whole, logarithm},
    Algorithm{"allgather", "bine-send", timed<model::allgather::bine_send>, doubling_blocks, whole,
              logarithm},
    Algorithm{"allgather", "bine-block-by-block", timed<model::allgather::bine_block_by_block>,
              block_or_all, whole, half_pairs},

    Algorithm{"allreduce", "recursive-doubling", timed<model::allreduce::recursive_doubling>, whole,
              whole, logarithm},
    Algorithm{"allreduce", "ring", timed<model::allreduce::ring>, part, part, pairs_twice},
    Algorithm{"allreduce", "rabenseifner", timed<model::allreduce::rabenseifner>, doubling_half,
              doubling_half, logarithm},
    Algorithm{"allreduce", "reduce-bcast", timed<model::allreduce::reduce_bcast>, whole, whole,
              each},
    Algorithm{"allreduce", "linear", timed<model::allreduce::linear>, whole, whole, each},
    Algorithm{"allreduce", "segmented-ring", timed<segmented_ring>, part, segment, ring_segments},
    Algorithm{"allreduce", "allgather-reduce", timed<model::allreduce::allgather_reduce>,
              doubling_blocks, whole, logarithm},
    Algorithm{"allreduce", "bine", timed<model::allreduce::bine>, whole, whole, logarithm},
    Algorithm{"allreduce", "bine-scatter-allgather",
              timed<model::allreduce::bine_scatter_allgather>, doubling_half, doubling_half,
              logarithm},
    Algorithm{"allreduce", "bine-segmented", timed<bine_segmented>, segment_or_all, segment,
              bine_segments},

    Algorithm{"reduce", "binomial", timed<model::reduce::binomial>, whole, whole, each},
    Algorithm{"reduce", "linear", timed<model::reduce::linear>, whole, whole, each},
    Algorithm{"reduce", "scatter-gather", timed<model::reduce::scatter_gather>, doubling_half,
              doubling_half, logarithm},
    Algorithm{"reduce", "chain", timed<model::reduce::chain>, whole, whole, each},
    Algorithm{"reduce", "pipelined", timed<reduce_pipelined>, segment, segment, segments},
    Algorithm{"reduce", "chains", timed<of_radix<model::reduce::chains>>, whole, whole, each},
    Algorithm{"reduce", "binary", timed<model::reduce::binary>, whole, whole, each},
    Algorithm{"reduce", "pipelined-binary", timed<reduce_pipelined_binary>, segment, segment,
              segments},
    Algorithm{"reduce", "in-order-binary", timed<model::reduce::in_order_binary>, whole, whole,
              each},
    Algorithm{"reduce", "k-nomial", timed<of_radix<model::reduce::k_nomial>>, whole, whole, each},
    Algorithm{"reduce", "bine", timed<model::reduce::bine>, whole, whole, each},
    Algorithm{"reduce", "bine-scatter-gather", timed<model::reduce::bine_scatter_gather>,
              doubling_half, doubling_half, logarithm},

    Algorithm{"reduce_scatter", "recursive-halving",
              timed<model::reduce_scatter::recursive_halving>, doubling_blocks, doubling_blocks,
              logarithm},
    Algorithm{"reduce_scatter", "pairwise", timed<model::reduce_scatter::pairwise>, whole, whole,
              pairs},
    Algorithm{"reduce_scatter", "ring", timed<model::reduce_scatter::ring>, whole, whole, pairs},
    Algorithm{"reduce_scatter", "reduce-scatter", timed<model::reduce_scatter::reduce_then_scatter>,
              all_blocks, all_blocks, each},
    Algorithm{"reduce_scatter", "recursive-doubling",
              timed<model::reduce_scatter::recursive_doubling>, all_blocks, all_blocks, logarithm},
    Algorithm{"reduce_scatter", "butterfly", timed<model::reduce_scatter::butterfly>,
              doubling_blocks, doubling_blocks, logarithm},
    Algorithm{"reduce_scatter", "bine", timed<model::reduce_scatter::bine>, doubling_blocks,
              doubling_blocks, logarithm},
    Algorithm{"reduce_scatter", "bine-send", timed<model::reduce_scatter::bine_send>,
              doubling_blocks, doubling_blocks, logarithm},
    Algorithm{"reduce_scatter", "bine-block-by-block",
              timed<model::reduce_scatter::bine_block_by_block>, block_or_all, block_or_all,
              half_pairs},

    Algorithm{"gather", "binomial", timed<model::gather::binomial>, half_of_blocks, whole, each},
    Algorithm{"gather", "linear", timed<model::gather::linear>, whole, whole, each},
    Algorithm{"gather", "linear-sync", timed<model::gather::linear_sync>, whole, whole, each},
    Algorithm{"gather", "k-nomial", timed<of_radix<model::gather::k_nomial>>, radix_blocks, whole,
              each},
    Algorithm{"gather", "bine", timed<model::gather::bine>, bine_blocks, whole, each},

    Algorithm{"gatherv", "linear", timed<model::gather::linear>, whole, whole, each},
    Algorithm{"gatherv", "binomial", timed<model::gather::binomial>, half_of_blocks, whole, each},
    Algorithm{"scatter", "binomial", timed<model::scatter::binomial>, half_of_blocks,
              half_of_blocks, each},
    Algorithm{"scatter", "binomial-nearest-first", timed<model::scatter::binomial_nearest_first>,
              half_of_blocks, whole, each},
    Algorithm{"scatter", "linear", timed<model::scatter::linear>, whole, whole, each},
    Algorithm{"scatter", "k-nomial", timed<of_radix<model::scatter::k_nomial>>, radix_blocks,
              radix_blocks, each},
    Algorithm{"scatter", "bine", timed<model::scatter::bine>, bine_blocks, bine_blocks, each},

    Algorithm{"scatterv", "linear", timed<model::scatter::linear>, whole, whole, each},
    Algorithm{"scatterv", "binomial", timed<model::scatter::binomial>, half_of_blocks,
              half_of_blocks, each},
    Algorithm{"scatterv", "binomial-nearest-first", timed<model::scatter::binomial_nearest_first>,
              half_of_blocks, whole, each},
};

}  // namespace

const Algorithm* find_algorithm(std::string_view operation, std::string_view name) {
    const auto* const found = std::find_if(
        algorithms.begin(), algorithms.end(),
        [&](const Algorithm& each) { return each.operation == operation && each.name == name; });
    return found == algorithms.end() ? nullptr : found;
}

}  // namespace lapwing

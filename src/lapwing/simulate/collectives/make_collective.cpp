#include "lapwing/simulate/collectives/make_collective.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include "lapwing/simulate/collectives/allgather_bruck.hpp"
#include "lapwing/simulate/collectives/allgather_neighbour_exchange.hpp"
#include "lapwing/simulate/collectives/allgather_recursive_doubling.hpp"
#include "lapwing/simulate/collectives/allgather_ring.hpp"
#include "lapwing/simulate/collectives/allreduce_rabenseifner.hpp"
#include "lapwing/simulate/collectives/allreduce_recursive_doubling.hpp"
#include "lapwing/simulate/collectives/alltoall_bruck.hpp"
#include "lapwing/simulate/collectives/alltoall_pairwise.hpp"
#include "lapwing/simulate/collectives/alltoall_ring.hpp"
#include "lapwing/simulate/collectives/alltoall_staggered.hpp"
#include "lapwing/simulate/collectives/barrier_dissemination.hpp"
#include "lapwing/simulate/collectives/barrier_recursive_doubling.hpp"
#include "lapwing/simulate/collectives/bcast_binomial.hpp"
#include "lapwing/simulate/collectives/bcast_grouped.hpp"
#include "lapwing/simulate/collectives/bcast_linear.hpp"
#include "lapwing/simulate/collectives/bcast_pipelined.hpp"
#include "lapwing/simulate/collectives/bcast_split_binary.hpp"
#include "lapwing/simulate/collectives/gather_binomial.hpp"
#include "lapwing/simulate/collectives/gather_linear.hpp"
#include "lapwing/simulate/collectives/reduce_binomial.hpp"
#include "lapwing/simulate/collectives/reduce_linear.hpp"
#include "lapwing/simulate/collectives/reduce_scatter_gather.hpp"
#include "lapwing/simulate/collectives/reduce_scatter_pairwise.hpp"
#include "lapwing/simulate/collectives/reduce_scatter_recursive_halving.hpp"
#include "lapwing/simulate/collectives/reduce_scatter_ring.hpp"
#include "lapwing/simulate/collectives/scatter_binomial.hpp"
#include "lapwing/simulate/collectives/scatter_linear.hpp"
#include "lapwing/simulate/collectives/sequence.hpp"
#include "lapwing/simulate/collectives/unknown_name.hpp"

namespace lapwing::simulate {
namespace {

using Choice = CollectiveChoice;
using Made = std::unique_ptr<Collective>;

struct Algorithm {
    const char* operation;
    const char* name;
    Made (*make)(const Choice&);
};

Parts whole(const Choice& c) { return Parts::equal(c.size, 1); }
/// The message of a broadcast or a reduction, split into a block for each rank.
Parts split(const Choice& c) { return Parts::split(c.size, c.ranks); }
/// A block for each rank, each of the size that was asked for.
Parts blocks(const Choice& c) { return Parts::equal(c.size, c.ranks); }
Parts blocks_v(const Choice& c) { return c.sizes.empty() ? blocks(c) : Parts::sized(c.sizes); }

std::uint32_t segments(std::uint64_t bytes, std::uint64_t segment) {
    const std::uint64_t count = std::max<std::uint64_t>(1, (bytes + segment - 1) / segment);
    if (count > 0x7FFFFFFFU) throw std::invalid_argument("too many segments");
    return static_cast<std::uint32_t>(count);
}

Made sequence(Made first, Made second) {
    return std::make_unique<Sequence>(std::move(first), std::move(second));
}

template <class T, class... Arguments>
Made make(Arguments&&... arguments) {
    return std::make_unique<T>(std::forward<Arguments>(arguments)...);
}

/// All algorithms by operation, the plainest first.
constexpr std::array algorithms{
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

    Algorithm{"gather", "binomial",
              [](const Choice& c) { return make<GatherBinomial>(c.ranks, blocks(c)); }},
    Algorithm{"gather", "linear",
              [](const Choice& c) { return make<GatherLinear>(c.ranks, blocks(c)); }},
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

std::vector<std::string> collective_operations() {
    std::vector<std::string> names;
    for (const auto& each : algorithms)
        if (names.empty() || names.back() != each.operation) names.emplace_back(each.operation);
    return names;
}

std::vector<std::string> collective_algorithms(std::string_view operation) {
    std::vector<std::string> names;
    for (const auto& each : algorithms)
        if (each.operation == operation) names.emplace_back(each.name);
    if (names.empty()) throw_unknown_name("collective", operation, collective_operations());
    return names;
}

std::unique_ptr<Collective> make_collective(const CollectiveChoice& choice) {
    const auto names = collective_algorithms(choice.operation);
    const auto* const found =
        std::find_if(algorithms.begin(), algorithms.end(), [&](const Algorithm& each) {
            return each.operation == choice.operation && each.name == choice.algorithm;
        });
    if (found == algorithms.end())
        throw_unknown_name("algorithm for " + choice.operation, choice.algorithm, names);
    if (choice.ranks == 0) throw std::invalid_argument("there must be a rank");
    if (choice.segment == 0) throw std::invalid_argument("a segment must have a byte");
    if (choice.window == 0) throw std::invalid_argument("a window must have a message");
    if (choice.group == 0) throw std::invalid_argument("a group must have a rank");
    if (!choice.sizes.empty() && choice.sizes.size() != choice.ranks)
        throw std::invalid_argument(std::to_string(choice.sizes.size()) + " sizes for " +
                                    std::to_string(choice.ranks) + " ranks");
    return found->make(choice);
}

}  // namespace lapwing::simulate

#include "lapwing/predict/selection_openmpi.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>

namespace lapwing {
namespace {

constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();

/// A rule that holds for fewer ranks and fewer bytes than these. The first one that holds counts.
struct Rule {
    std::uint64_t ranks;
    std::uint64_t size;
    const char* algorithm;
};

constexpr Rule barrier[] = {
    {4, any, "recursive-doubling"},
    {8, any, "linear"},
    {64, any, "recursive-doubling"},
    {256, any, "dissemination"},
    {512, any, "tree"},
    {1024, any, "dissemination"},
    {4096, any, "tree"},
    {any, any, "dissemination"},
};
constexpr Rule bcast[] = {
    {4, 32, "chain"},
    {4, 256, "binary"},
    {4, 512, "chain"},
    {4, 1024, "k-nomial"},
    {4, 32768, "linear"},
    {4, 131072, "binary"},
    {4, 262144, "chain"},
    {4, 524288, "linear"},
    {4, 1048576, "binomial"},
    {4, any, "binary"},
    {8, 64, "binary"},
    {8, 128, "binomial"},
    {8, 2048, "binary"},
    {8, 8192, "binomial"},
    {8, 1048576, "linear"},
    {8, any, "chain"},
    {16, 8, "k-nomial"},
    {16, 64, "binary"},
    {16, 4096, "k-nomial"},
    {16, 16384, "binary"},
    {16, 32768, "binomial"},
    {16, any, "linear"},
    {32, 4096, "k-nomial"},
    {32, 1048576, "binomial"},
    {32, any, "scatter-recursive-doubling"},
    {64, 2048, "binomial"},
    {64, any, "k-nomial"},
    {128, any, "k-nomial"},
    {256, 2, "binomial"},
    {256, 16384, "binary"},
    {256, 32768, "linear"},
    {256, 65536, "binary"},
    {256, any, "k-nomial"},
    {1024, 16384, "k-nomial"},
    {1024, 32768, "split-binary"},
    {1024, any, "k-nomial"},
    {2048, 524288, "k-nomial"},
    {2048, any, "scatter-recursive-doubling"},
    {4096, 262144, "k-nomial"},
    {4096, any, "scatter-recursive-doubling"},
    {any, 8192, "k-nomial"},
    {any, 16384, "binary"},
    {any, 262144, "k-nomial"},
    {any, any, "scatter-recursive-doubling"},
};
constexpr Rule alltoall[] = {
    {3, 32768, "ring"},
    {3, 262144, "linear-sync"},
    {3, any, "ring"},
    {8, 8192, "linear-sync"},
    {8, 16384, "linear"},
    {8, 65536, "linear-sync"},
    {8, 524288, "linear"},
    {8, 1048576, "ring"},
    {8, any, "linear"},
    {16, 262144, "linear-sync"},
    {16, any, "linear"},
    {32, 4, "linear-sync"},
    {32, 512, "bruck"},
    {32, 8192, "linear-sync"},
    {32, 32768, "linear"},
    {32, 262144, "linear-sync"},
    {32, 524288, "linear"},
    {32, any, "linear-sync"},
    {64, 512, "bruck"},
    {64, 524288, "linear"},
    {64, any, "linear-sync"},
    {128, 1024, "bruck"},
    {128, 2048, "linear"},
    {128, 4096, "linear-sync"},
    {128, 262144, "linear"},
    {128, any, "ring"},
    {256, 1024, "bruck"},
    {256, 2048, "linear-sync"},
    {256, 262144, "linear"},
    {256, any, "ring"},
    {512, 1024, "bruck"},
    {512, 8192, "linear-sync"},
    {512, 32768, "linear"},
    {512, any, "ring"},
    {1024, 512, "bruck"},
    {1024, 8192, "linear-sync"},
    {1024, 16384, "linear"},
    {1024, 131072, "linear-sync"},
    {1024, 262144, "linear"},
    {1024, any, "ring"},
    {2048, 512, "bruck"},
    {2048, 1024, "linear-sync"},
    {2048, 2048, "linear"},
    {2048, 16384, "linear-sync"},
    {2048, 262144, "linear"},
    {2048, any, "linear-sync"},
    {4096, 1024, "bruck"},
    {4096, 4096, "linear-sync"},
    {4096, 8192, "linear"},
    {4096, 131072, "linear-sync"},
    {4096, any, "linear"},
    {any, 2048, "bruck"},
    {any, 8192, "linear-sync"},
    {any, 16384, "linear"},
    {any, 32768, "linear-sync"},
    {any, 65536, "linear"},
    {any, any, "linear-sync"},
};
constexpr Rule allgather[] = {
    {32, any, "recursive-doubling"},
    {64, 1024, "recursive-doubling"},
    {64, 65536, "neighbour-exchange"},
    {64, any, "ring"},
    {128, 512, "recursive-doubling"},
    {128, 65536, "neighbour-exchange"},
    {128, any, "ring"},
    {256, 512, "recursive-doubling"},
    {256, 131072, "neighbour-exchange"},
    {256, 524288, "ring"},
    {256, 1048576, "neighbour-exchange"},
    {256, any, "ring"},
    {512, 32, "recursive-doubling"},
    {512, 128, "bruck"},
    {512, 1024, "recursive-doubling"},
    {512, 131072, "neighbour-exchange"},
    {512, 524288, "ring"},
    {512, 1048576, "neighbour-exchange"},
    {512, any, "ring"},
    {1024, 64, "recursive-doubling"},
    {1024, 256, "bruck"},
    {1024, 2048, "recursive-doubling"},
    {1024, any, "neighbour-exchange"},
    {2048, 4, "recursive-doubling"},
    {2048, 8, "bruck"},
    {2048, 16, "recursive-doubling"},
    {2048, 32, "bruck"},
    {2048, 256, "recursive-doubling"},
    {2048, 512, "bruck"},
    {2048, 4096, "recursive-doubling"},
    {2048, any, "neighbour-exchange"},
    {4096, 32, "bruck"},
    {4096, 128, "recursive-doubling"},
    {4096, 512, "bruck"},
    {4096, 4096, "recursive-doubling"},
    {4096, any, "neighbour-exchange"},
    {any, 2, "recursive-doubling"},
    {any, 8, "bruck"},
    {any, 16, "recursive-doubling"},
    {any, 512, "bruck"},
    {any, 4096, "recursive-doubling"},
    {any, any, "neighbour-exchange"},
};
constexpr Rule allreduce[] = {
    {4, 8, "ring"},
    {4, 4096, "recursive-doubling"},
    {4, 8192, "ring"},
    {4, 16384, "recursive-doubling"},
    {4, 262144, "ring"},
    {4, any, "rabenseifner"},
    {8, 16, "ring"},
    {8, 8192, "recursive-doubling"},
    {8, any, "rabenseifner"},
    {16, 8192, "recursive-doubling"},
    {16, any, "rabenseifner"},
    {32, 64, "ring"},
    {32, 4096, "recursive-doubling"},
    {32, any, "rabenseifner"},
    {64, 128, "ring"},
    {64, any, "rabenseifner"},
    {128, 262144, "recursive-doubling"},
    {128, any, "rabenseifner"},
    {256, 131072, "reduce-bcast"},
    {256, 262144, "recursive-doubling"},
    {256, any, "rabenseifner"},
    {512, 4096, "reduce-bcast"},
    {512, any, "rabenseifner"},
    {2048, 2048, "reduce-bcast"},
    {2048, 16384, "recursive-doubling"},
    {2048, any, "rabenseifner"},
    {4096, 2048, "reduce-bcast"},
    {4096, 4096, "ring"},
    {4096, 16384, "recursive-doubling"},
    {4096, any, "rabenseifner"},
    {any, 2048, "reduce-bcast"},
    {any, 16384, "ring"},
    {any, 32768, "recursive-doubling"},
    {any, any, "rabenseifner"},
};
constexpr Rule reduce[] = {
    {4, 8, "scatter-gather"},
    {4, 16, "binary"},
    {4, 32, "chain"},
    {4, 262144, "linear"},
    {4, any, "chain"},
    {8, 4096, "binary"},
    {8, 65536, "chain"},
    {8, 262144, "binomial"},
    {8, 524288, "linear"},
    {8, 1048576, "binomial"},
    {8, any, "linear"},
    {16, 8192, "binary"},
    {16, any, "binomial"},
    {32, 4096, "binary"},
    {32, any, "binomial"},
    {256, any, "binomial"},
    {512, 8192, "binomial"},
    {512, 16384, "in-order-binary"},
    {512, any, "binomial"},
    {2048, any, "binomial"},
    {4096, 512, "binomial"},
    {4096, 1024, "in-order-binary"},
    {4096, 8192, "binomial"},
    {4096, 16384, "in-order-binary"},
    {4096, any, "binomial"},
    {any, 16, "binomial"},
    {any, 32, "in-order-binary"},
    {any, 1024, "binomial"},
    {any, 2048, "in-order-binary"},
    {any, 8192, "binomial"},
    {any, 16384, "in-order-binary"},
    {any, any, "binomial"},
};
constexpr Rule reduce_scatter[] = {
    {4, 4, "recursive-doubling"},
    {4, 8, "butterfly"},
    {4, 16, "recursive-halving"},
    {4, 128, "butterfly"},
    {4, 256, "recursive-halving"},
    {4, 4096, "butterfly"},
    {4, 8192, "recursive-halving"},
    {4, 131072, "butterfly"},
    {4, any, "reduce-scatter"},
    {8, 8, "recursive-halving"},
    {8, 32, "recursive-doubling"},
    {8, 256, "butterfly"},
    {8, 8192, "recursive-halving"},
    {8, 16384, "butterfly"},
    {8, 1048576, "recursive-halving"},
    {8, any, "reduce-scatter"},
    {16, 4, "reduce-scatter"},
    {16, 32, "recursive-halving"},
    {16, 128, "butterfly"},
    {16, 524288, "recursive-halving"},
    {16, 4194304, "reduce-scatter"},
    {16, any, "butterfly"},
    {32, 32, "reduce-scatter"},
    {32, 524288, "recursive-halving"},
    {32, 2097152, "reduce-scatter"},
    {32, 4194304, "recursive-halving"},
    {32, any, "butterfly"},
    {any, 4, "recursive-halving"},
    {any, 16, "reduce-scatter"},
    {any, 65536, "butterfly"},
    {any, 262144, "reduce-scatter"},
    {any, any, "butterfly"},
};
constexpr Rule gather[] = {
    {4, 2, "linear-sync"},   {4, 4, "linear"},        {4, 32768, "binomial"},
    {4, 65536, "linear"},    {4, 131072, "binomial"}, {4, any, "linear-sync"},
    {8, 1024, "binomial"},   {8, 8192, "linear"},     {8, 32768, "binomial"},
    {8, 262144, "linear"},   {8, any, "linear-sync"}, {256, any, "binomial"},
    {512, 2048, "binomial"}, {512, 8192, "linear"},   {512, any, "binomial"},
    {any, any, "binomial"},
};
constexpr Rule scatter[] = {
    {4, any, "linear"},   {8, 2048, "binomial-nearest-first"},
    {8, 4096, "linear"},  {8, 8192, "binomial-nearest-first"},
    {8, any, "linear"},   {16, 16384, "binomial-nearest-first"},
    {16, any, "linear"},  {32, 16384, "binomial-nearest-first"},
    {32, any, "linear"},  {64, 512, "binomial-nearest-first"},
    {64, 8192, "linear"}, {64, 16384, "binomial-nearest-first"},
    {64, any, "linear"},  {any, 512, "binomial-nearest-first"},
    {any, any, "linear"},
};
constexpr Rule linear[] = {{any, any, "linear"}};

std::span<const Rule> rules(std::string_view operation) {
    if (operation == "barrier") return barrier;
    if (operation == "bcast") return bcast;
    if (operation == "alltoall") return alltoall;
    if (operation == "allgather") return allgather;
    if (operation == "allreduce") return allreduce;
    if (operation == "reduce") return reduce;
    if (operation == "reduce_scatter") return reduce_scatter;
    if (operation == "gather") return gather;
    if (operation == "scatter") return scatter;
    if (operation == "gatherv" || operation == "scatterv") return linear;
    return {};
}

}  // namespace

std::string_view selected_by_openmpi(std::string_view operation, std::uint64_t ranks,
                                     std::uint64_t size) {
    const auto all = rules(operation);
    const auto found = std::find_if(all.begin(), all.end(), [&](const Rule& rule) {
        return ranks < rule.ranks && size < rule.size;
    });
    if (found == all.end()) return {};
    const std::string_view algorithm = found->algorithm;
    if (operation != "allreduce") return algorithm;
    // Algorithms that split data among the ranks leave it to others if there are too few elements.
    const std::uint64_t elements = size / sizeof(double);
    if (algorithm == "ring" && elements < ranks) return "recursive-doubling";
    if (algorithm == "rabenseifner" && elements < std::bit_floor(ranks)) return "linear";
    return algorithm;
}

}  // namespace lapwing

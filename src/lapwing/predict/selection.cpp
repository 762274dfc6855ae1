#include "lapwing/predict/selection.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "lapwing/predict/selection_openmpi.hpp"

namespace lapwing {
namespace {

constexpr std::uint64_t KB = 1024;

std::string_view by_mvapich2(std::string_view operation, std::uint64_t ranks, std::uint64_t size) {
    if (operation == "barrier") return "dissemination";
    if (operation == "alltoall") {
        if (size > 32 * KB) return "pairwise";
        return size <= 256 && ranks >= 8 ? "bruck" : "linear";
    }
    if (operation == "bcast") {
        if (size <= 12 * KB || ranks < 8) return "binomial";
        if (size <= 512 * KB && std::has_single_bit(ranks)) return "scatter-recursive-doubling";
        return "scatter-ring";
    }
    return {};
}

std::string_view by_mpich(std::string_view operation, std::uint64_t ranks, std::uint64_t size) {
    const bool power = std::has_single_bit(ranks);
    // MPICH's algorithms that split data among the ranks need at least one element for each.
    const bool enough = size / sizeof(double) >= std::bit_floor(ranks);
    if (operation == "barrier") return "dissemination";
    if (operation == "bcast") {
        if (size <= 12 * KB || ranks < 8) return "binomial";
        return size <= 512 * KB && power ? "scatter-recursive-doubling" : "scatter-ring";
    }
    if (operation == "alltoall") {
        if (size > 32 * KB) return "pairwise";
        return size <= 256 && ranks >= 8 ? "bruck" : "staggered";
    }
    if (operation == "allgather") {
        const std::uint64_t total = size * ranks;
        if (power) return total < 512 * KB ? "recursive-doubling" : "ring";
        return total < 80 * KB ? "bruck" : "ring";
    }
    if (operation == "allreduce") return size > 8 && enough ? "rabenseifner" : "recursive-doubling";
    if (operation == "reduce") return size > 2 * KB && enough ? "scatter-gather" : "binomial";
    if (operation == "reduce_scatter")
        return size * ranks < 512 * KB ? "recursive-halving" : "pairwise";
    if (operation == "gather" || operation == "scatter") return "binomial";
    if (operation == "gatherv" || operation == "scatterv") return "linear";
    return {};
}

}  // namespace

const std::vector<std::string>& selections() {
    static const std::vector<std::string> names{"mvapich2", "mpich", "openmpi"};
    return names;
}

std::string_view selected(std::string_view library, std::string_view operation, std::uint64_t ranks,
                          std::uint64_t size) {
    std::string_view algorithm;
    if (library == "mvapich2") algorithm = by_mvapich2(operation, ranks, size);
    if (library == "mpich") algorithm = by_mpich(operation, ranks, size);
    if (library == "openmpi") algorithm = selected_by_openmpi(operation, ranks, size);
    if (algorithm.empty())
        throw std::invalid_argument("there is no rule of " + std::string(library) + " for " +
                                    std::string(operation) + ": name an algorithm");
    return algorithm;
}

}  // namespace lapwing

#include "lapwing/predict/selection.hpp"

#include <catch2/catch.hpp>

#include "lapwing/predict/algorithms.hpp"
#include "lapwing/simulate/collectives/make_collective.hpp"

using lapwing::selected;

namespace {

constexpr std::uint64_t KB = 1024;
constexpr std::uint64_t MB = KB * KB;

}  // namespace

TEST_CASE("MVAPICH2 chooses as March's tables 2 and 3 say", "[predict]") {
    const auto alltoall = [](std::uint64_t P, std::uint64_t m) {
        return selected("mvapich2", "alltoall", P, m);
    };
    CHECK(alltoall(7, 256) == "linear");
    CHECK(alltoall(8, 256) == "bruck");
    CHECK(alltoall(8, 257) == "linear");
    CHECK(alltoall(8, 32 * KB) == "linear");
    CHECK(alltoall(7, 32 * KB + 1) == "pairwise");
    const auto bcast = [](std::uint64_t P, std::uint64_t m) {
        return selected("mvapich2", "bcast", P, m);
    };
    CHECK(bcast(7, MB) == "binomial");
    CHECK(bcast(8, 12 * KB) == "binomial");
    CHECK(bcast(8, 12 * KB + 1) == "scatter-recursive-doubling");
    CHECK(bcast(9, 12 * KB + 1) == "scatter-ring");
    CHECK(bcast(8, 512 * KB) == "scatter-recursive-doubling");
    CHECK(bcast(8, 512 * KB + 1) == "scatter-ring");
    CHECK(selected("mvapich2", "barrier", 100, 1) == "dissemination");
    CHECK_THROWS_WITH(selected("mvapich2", "reduce", 8, 8), Catch::Contains("no rule of mvapich2"));
}

TEST_CASE("MPICH chooses by size, powers of two, and elements for each rank", "[predict]") {
    CHECK(selected("mpich", "alltoall", 4, 8) == "staggered");
    CHECK(selected("mpich", "alltoall", 8, 8) == "bruck");
    CHECK(selected("mpich", "alltoall", 8, MB) == "pairwise");
    CHECK(selected("mpich", "allgather", 8, 64 * KB - 1) == "recursive-doubling");
    CHECK(selected("mpich", "allgather", 8, 64 * KB) == "ring");
    CHECK(selected("mpich", "allgather", 10, 8 * KB - 1) == "bruck");
    CHECK(selected("mpich", "allgather", 10, 8 * KB) == "ring");
    CHECK(selected("mpich", "allreduce", 8, 8) == "recursive-doubling");
    CHECK(selected("mpich", "allreduce", 8, 63) == "recursive-doubling");
    CHECK(selected("mpich", "allreduce", 15, 64) == "rabenseifner");
    CHECK(selected("mpich", "reduce", 8, 2 * KB) == "binomial");
    CHECK(selected("mpich", "reduce", 8, 2 * KB + 8) == "scatter-gather");
    CHECK(selected("mpich", "reduce", 1024, 4 * KB) == "binomial");
    CHECK(selected("mpich", "reduce_scatter", 8, 64 * KB) == "pairwise");
    CHECK(selected("mpich", "gather", 8, MB) == "binomial");
}

TEST_CASE("Open MPI chooses by its fixed decisions", "[predict]") {
    CHECK(selected("openmpi", "barrier", 4, 1) == "linear");
    CHECK(selected("openmpi", "barrier", 64, 1) == "dissemination");
    CHECK(selected("openmpi", "barrier", 2048, 1) == "tree");
    CHECK(selected("openmpi", "allreduce", 64, 8) == "recursive-doubling");
    CHECK(selected("openmpi", "allreduce", 64, MB) == "rabenseifner");
    // Too few elements for the ring that the rules name.
    CHECK(selected("openmpi", "allreduce", 6144, 4096) == "recursive-doubling");
    CHECK(selected("openmpi", "allreduce", 3, 8) == "recursive-doubling");
    CHECK(selected("openmpi", "alltoall", 16, 256) == "bruck");
    CHECK(selected("openmpi", "alltoall", 16, MB) == "linear-sync");
    CHECK(selected("openmpi", "allgather", 2, MB) == "recursive-doubling");
    CHECK(selected("openmpi", "allgather", 1 << 20, MB) == "neighbour-exchange");
    CHECK(selected("openmpi", "scatterv", 8, 8) == "linear");
}

TEST_CASE("Open MPI's trees are its own, not the nearest of ours", "[predict]") {
    // From coll_tuned_decision_fixed.c of 4.1; its pipelines have no segments there.
    const auto bcast = [](std::uint64_t P, std::uint64_t m) {
        return selected("openmpi", "bcast", P, m);
    };
    CHECK(bcast(2, 31) == "chain");
    CHECK(bcast(2, 32) == "binary");
    CHECK(bcast(3, 512) == "k-nomial");
    CHECK(bcast(4, MB) == "chain");
    CHECK(bcast(8, 7) == "k-nomial");
    CHECK(bcast(8, 8) == "binary");
    CHECK(bcast(8, 16 * KB) == "binomial");
    CHECK(bcast(16, MB) == "scatter-recursive-doubling");
    CHECK(bcast(64, 100) == "k-nomial");
    CHECK(bcast(128, 4 * KB) == "binary");
    CHECK(bcast(128, 16 * KB) == "linear");
    CHECK(bcast(256, 16 * KB) == "split-binary");
    CHECK(bcast(5000, 8 * KB) == "binary");
    const auto reduce = [](std::uint64_t P, std::uint64_t m) {
        return selected("openmpi", "reduce", P, m);
    };
    CHECK(reduce(2, 4) == "scatter-gather");
    CHECK(reduce(2, 8) == "binary");
    CHECK(reduce(2, 16) == "chain");
    CHECK(reduce(4, 8 * KB) == "chain");
    CHECK(reduce(8, 8 * KB - 1) == "binary");
    CHECK(reduce(8, 8 * KB) == "binomial");
    CHECK(reduce(300, 8 * KB) == "in-order-binary");
    CHECK(reduce(300, 16 * KB) == "binomial");
    CHECK(selected("openmpi", "reduce_scatter", 3, 3) == "recursive-doubling");
    CHECK(selected("openmpi", "reduce_scatter", 8, 4 * MB) == "butterfly");
    CHECK(selected("openmpi", "reduce_scatter", 100, 16) == "butterfly");
    CHECK(selected("openmpi", "gather", 2, 1) == "linear-sync");
    CHECK(selected("openmpi", "gather", 4, MB) == "linear-sync");
    // Without a segment size Open MPI's segmented ring is the ring, and that leaves fewer elements
    // than ranks to recursive doubling.
    CHECK(selected("openmpi", "allreduce", 2, 4 * KB) == "ring");
    CHECK(selected("openmpi", "allreduce", 16, 32) == "recursive-doubling");
}

TEST_CASE("what is chosen is always an algorithm of ours", "[predict]") {
    for (const auto& table : lapwing::selections()) {
        for (const auto& operation : lapwing::simulate::collective_operations()) {
            const bool known = table != "mvapich2" || operation == "barrier" ||
                               operation == "bcast" || operation == "alltoall";
            if (!known) continue;
            for (std::uint64_t ranks = 1; ranks < 6000; ranks = ranks * 3 / 2 + 1)
                for (std::uint64_t size = 1; size < 8 * MB; size *= 2) {
                    const auto name = selected(table, operation, ranks, size);
                    INFO(table << " " << operation << " " << name);
                    CHECK(lapwing::find_algorithm(operation, name) != nullptr);
                }
        }
    }
    CHECK_THROWS_WITH(selected("lam", "bcast", 8, 8), Catch::Contains("no rule of lam"));
}

#include "lapwing/simulate/program/memory_of_graph.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "lapwing/simulate/collectives/make_collective.hpp"
#include "lapwing/simulate/program/unroll.hpp"

using lapwing::simulate::bytes_of_written_operation;
using lapwing::simulate::make_collective;
using lapwing::simulate::require_memory_for_graph;

TEST_CASE("a schedule that is written out has room for each of its operations", "[simulate]") {
    for (const char* algorithm : {"linear", "ring", "bruck"}) {
        const auto all =
            make_collective({.operation = "alltoall", .algorithm = algorithm, .ranks = 30});
        const std::uint64_t operations = unroll(*all).nodes.size();
        CHECK_NOTHROW(require_memory_for_graph(*all, operations * bytes_of_written_operation));
        CHECK_THROWS_WITH(
            require_memory_for_graph(*all, operations * bytes_of_written_operation - 1),
            Catch::StartsWith("written out, the operations of 30 ranks are more than the ") &&
                Catch::Contains(" GB of memory that are left hold"));
    }
}

TEST_CASE("a graph numbers its operations in 32 bits, whatever the memory", "[simulate]") {
    constexpr std::uint64_t endless = std::numeric_limits<std::uint64_t>::max();
    const auto all =
        make_collective({.operation = "alltoall", .algorithm = "linear", .ranks = 1U << 17U});
    CHECK_THROWS_WITH(require_memory_for_graph(*all, endless), Catch::Contains("4294967295"));
    CHECK_THROWS_AS(unroll(*all), std::invalid_argument);
}

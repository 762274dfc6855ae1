#include "lapwing/simulate/program/memory_of_messages.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <stdexcept>

#include "lapwing/simulate/collectives/make_collective.hpp"
#include "lapwing/simulate/costs/loggops.hpp"
#include "lapwing/simulate/engine/wait_queue.hpp"
#include "lapwing/simulate/program/available_memory.hpp"
#include "lapwing/simulate/simulate.hpp"

using lapwing::simulate::available_memory;
using lapwing::simulate::CollectiveChoice;
using lapwing::simulate::LogGOPS;
using lapwing::simulate::make_collective;
using lapwing::simulate::Pending;
using lapwing::simulate::require_memory;
using lapwing::simulate::simulate;

namespace {

/// Whether the messages of a collective find room for `messages` of them.
bool fits(const CollectiveChoice& choice, std::uint64_t messages) {
    try {
        require_memory(*make_collective(choice), messages * sizeof(Pending));
        return true;
    } catch (const std::invalid_argument&) {
        return false;
    }
}

}  // namespace

TEST_CASE("messages under way at once are those of a step", "[simulate]") {
    // Where all ranks send to all at once, as the plain all-to-all does …
    CHECK(fits({.operation = "alltoall", .algorithm = "linear", .ranks = 100}, 9900));
    CHECK_FALSE(fits({.operation = "alltoall", .algorithm = "linear", .ranks = 100}, 9899));
    CHECK_FALSE(
        fits({.operation = "alltoall", .algorithm = "k-bruck", .ranks = 100, .radix = 100}, 9899));
    // … or half of that in the first step, or in the last.
    CHECK_FALSE(fits(
        {.operation = "reduce_scatter", .algorithm = "bine-block-by-block", .ranks = 128}, 8191));
    CHECK_FALSE(fits({.operation = "allgather", .algorithm = "sparbit", .ranks = 128}, 8191));
    // Where they do so one after another there are few at any time.
    CHECK(fits({.operation = "alltoall", .algorithm = "ring", .ranks = 1 << 20}, 1 << 20));
    CHECK(fits({.operation = "alltoall", .algorithm = "staggered", .ranks = 1 << 20, .window = 4},
               4 << 20));
    CHECK(fits({.operation = "bcast", .algorithm = "linear", .ranks = 1 << 20}, 1 << 20));
    CHECK(fits({.operation = "gather", .algorithm = "linear", .ranks = 1 << 20}, 1 << 20));
    CHECK(fits({.operation = "barrier", .algorithm = "dissemination", .ranks = 1}, 0));
}

TEST_CASE("a collective beyond all memory is refused before it begins", "[simulate]") {
    CHECK(available_memory() > 0);
    const auto all = make_collective(
        {.operation = "alltoall", .algorithm = "linear", .ranks = 1U << 26U, .size = 8});
    CHECK_THROWS_WITH(simulate(*all, LogGOPS{}),
                      Catch::StartsWith("the messages that 67108864 ranks have under way at once "
                                        "take more than the ") &&
                          Catch::Contains(" GB of memory that are left"));
}

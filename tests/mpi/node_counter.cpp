// The counter of a node: no value is given twice, and none is left out.
#include "lapwing/transport/mpi/node_counter.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "../support/check.hpp"
#include "lapwing/transport/mpi/communicator.hpp"

namespace {

/// All ranks count to `last` together.
void count_to(std::uint64_t last) {
    const lapwing::Communicator world;
    lapwing::NodeCounter counter(world);
    lapwing::NodeCounter other(world);  // counts by itself
    const std::vector<int>& ranks = counter.ranks();
    CHECK(std::ranges::is_sorted(ranks));
    CHECK(std::ranges::count(ranks, world.rank()) == 1);

    std::vector<int> given(last);
    std::uint64_t before = 0;
    bool first = true;
    for (std::uint64_t value = counter.next(); value < last; value = counter.next()) {
        CHECK(first || value > before);
        before = value;
        first = false;
        ++given[value];
        // The first rank is slow.
        if (world.rank() == 0) CHECK(other.next() < last);
    }
    const auto node = lapwing::Communicator::of_node(world.get());
    CHECK(node.size() == static_cast<int>(ranks.size()));
    CHECK(ranks[static_cast<std::size_t>(node.rank())] == world.rank());
    std::vector<int> sum(last);
    MPI_Allreduce(given.data(), sum.data(), static_cast<int>(last), MPI_INT, MPI_SUM, node.get());
    CHECK(std::ranges::count(sum, 1) == static_cast<std::ptrdiff_t>(last));
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    for (const std::uint64_t last : {1, 2, 1000, 100'000}) count_to(last);
    int failed = 0;
    MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}

// The computation of the benchmarks does not depend on how its data is cut.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "../support/check.hpp"
#include "../support/random.hpp"
#include "lapwing/compute/clock.hpp"
#include "lapwing/compute/vector_add.hpp"

namespace {

void cut_in_any_way() {
    lapwing::test::Random random(3);
    std::vector<double> a(5000);
    for (auto& value : a) value = random.uniform(-1, 1);
    // 2.6 passes over each block on average.
    const lapwing::VectorAdd add(2.6e-9, 1e-9);
    std::vector<double> whole(a.size());
    add(a.data(), whole.data(), 0, a.size(), [] {});
    for (int trial = 0; trial < 50; ++trial) {
        std::vector<double> pieces(a.size(), -1);
        int polls = 0;
        for (std::size_t first = 0; first < a.size();) {
            const auto count = std::min<std::size_t>(random.integer(1, 1500), a.size() - first);
            add(a.data(), pieces.data(), first, count, [&] { ++polls; });
            first += count;
        }
        CHECK(pieces == whole);
        CHECK(polls >= 10);
    }
}

void clock_runs() {
    const double start = lapwing::now();
    lapwing::wait_until(start + 1e-3);
    CHECK(lapwing::now() >= start + 1e-3);
    lapwing::wait_until(start);  // long past
    CHECK(lapwing::VectorAdd::measure_pass() > 0);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    cut_in_any_way();
    clock_runs();
    MPI_Finalize();
    return lapwing::test::failures() == 0 ? 0 : 1;
}

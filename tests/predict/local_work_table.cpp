#include "lapwing/predict/local_work_table.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "lapwing/predict/grid.hpp"
#include "support/machine.hpp"

using namespace lapwing;

namespace {

Profile with_local_work() {
    Profile machine = test::infiniband();
    machine.collectives = {.combine = 1e-9,
                           .copy = 2e-9,
                           .pack = 3e-7,
                           .exchange = 1e-7,
                           .exchange_per_byte = 5e-10,
                           .fresh = 1e-10};
    return machine;
}

}  // namespace

TEST_CASE("the local work between powers of two is that of the size, nearly", "[predict]") {
    LocalWorkTable table;
    for (const auto& operation : predicted_operations()) {
        if (operation == "send") continue;
        for (const auto& name : predicted_algorithms(operation)) {
            const Algorithm& algorithm = *find_algorithm(operation, name);
            for (const std::uint64_t ranks : {2, 7, 64})
                for (const std::uint64_t size : {0, 1, 8192, 100'000, 800'000}) {
                    const LocalWork exact = local_work(operation, name, ranks, size);
                    const LocalWork found = table.at(algorithm, ranks, size);
                    INFO(operation << " " << name << " " << ranks << " " << size);
                    CHECK(found.combined == Approx(exact.combined).epsilon(0.02));
                    CHECK(found.copied == Approx(exact.copied).epsilon(0.02));
                    CHECK(found.exchanged == Approx(exact.exchanged).epsilon(0.02));
                    // Segments become more in steps.
                    CHECK(found.exchanges == Approx(exact.exchanges).epsilon(0.2).margin(2));
                    CHECK(found.buffered <= 2 * exact.buffered);
                    CHECK(exact.buffered <= 2 * found.buffered);
                    CHECK(found.packed == Approx(exact.packed).epsilon(0.02));
                }
        }
    }
}

TEST_CASE("many predictions are those of one at a time, nearly", "[predict]") {
    const Profile machine = with_local_work();
    Operation operation;
    operation.name = "allreduce";
    operation.algorithm = "rabenseifner";
    const std::vector<std::uint64_t> ranks{2, 48, 64};
    std::vector<std::uint64_t> sizes;
    for (std::uint64_t size = 1; size < 5000; ++size) sizes.push_back(321 * size);
    const PredictionGrid grid = predict(machine, operation, ranks, sizes);
    for (const std::size_t at : {std::size_t{0}, sizes.size() + 77, 3 * sizes.size() - 1}) {
        operation.ranks = ranks[at / sizes.size()];
        operation.size = sizes[at % sizes.size()];
        const double one = predict(machine, operation, PredictionModel::model).seconds;
        CHECK(grid.seconds[at] == Approx(one).epsilon(0.01));
    }
}

TEST_CASE("costs of nothing are free", "[predict]") {
    CHECK(is_free(CollectiveCosts{}));
    CHECK(is_free({.low = 0.5, .high = 2}));
    CHECK(!is_free({.skew = 1e-6}));
    CHECK(!is_free(*with_local_work().collectives));
}

#include "lapwing/predict/local_work.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

#include "lapwing/predict/predict.hpp"
#include "support/machine.hpp"

using namespace lapwing;

namespace {

double combined(const char* operation, const char* algorithm, std::uint64_t ranks,
                std::uint64_t size) {
    return local_work(operation, algorithm, ranks, size).combined;
}

}  // namespace

TEST_CASE("what a rank combines follows from the schedule", "[predict]") {
    CHECK(combined("allreduce", "recursive-doubling", 8, 1000) == 3000);
    CHECK(combined("allreduce", "ring", 8, 8000) == 7000);
    CHECK(combined("allreduce", "rabenseifner", 8, 8000) == 7000);
    CHECK(combined("reduce", "binomial", 16, 100) == 400);
    CHECK(combined("reduce", "linear", 5, 100) == 400);
    CHECK(combined("reduce_scatter", "ring", 4, 10) == 30);
    CHECK(combined("allgather", "ring", 8, 1000) == 0);
    CHECK(combined("bcast", "binomial", 8, 1000) == 0);
    // One more where the number of ranks is no power of two: others hand their data over.
    CHECK(combined("allreduce", "recursive-doubling", 9, 1000) == 4000);
}

TEST_CASE("long schedules are sampled", "[predict]") {
    const double all = combined("allreduce", "ring", 4001, 4'001'000);
    CHECK(all == Approx(4e6).epsilon(0.01));
    // Of a schedule that repeats every second step, both kinds count.
    CHECK(local_work("reduce", "pipelined-binary", 7, 3'000'000).exchanges ==
          Approx(local_work("reduce", "pipelined-binary", 8, 3'000'000).exchanges).epsilon(0.1));
}

TEST_CASE("what a rank copies, and packs where blocks do not lie together", "[predict]") {
    CHECK(local_work("bcast", "binomial", 8, 1000).copied == 0);
    CHECK(local_work("allgather", "ring", 8, 1000).copied == 1000);
    CHECK(local_work("allreduce", "ring", 8, 1000).copied == 1000);
    CHECK(local_work("reduce_scatter", "ring", 8, 1000).copied == 8000);
    CHECK(local_work("alltoall", "pairwise", 8, 1000).copied == 1000);
    // Three messages of four blocks, gathered at one end and scattered at the other.
    CHECK(local_work("alltoall", "bruck", 8, 1000).copied == 1000 + 2 * 3 * 4000);
}

TEST_CASE("what a rank sends while it receives", "[predict]") {
    const LocalWork doubling = local_work("allreduce", "recursive-doubling", 8, 1000);
    CHECK(doubling.exchanges == 3);
    CHECK(doubling.exchanged == 3000);
    const LocalWork ring = local_work("allgather", "ring", 8, 1000);
    CHECK(ring.exchanges == 7);
    CHECK(ring.exchanged == 7000);
    CHECK(local_work("bcast", "binomial", 8, 1000).exchanges == 0);
    CHECK(local_work("scatter", "linear", 8, 1000).exchanged == 0);
}

TEST_CASE("a single rank, and a send, do nothing besides", "[predict]") {
    CHECK(combined("allreduce", "ring", 1, 1000) == 0);
    CHECK(local_work("send", "direct", 2, 1000).copied == 0);
}

TEST_CASE("predictions by engine and by closed form have the same local work", "[predict]") {
    Profile machine = test::infiniband();
    Operation operation;
    operation.name = "allreduce";
    operation.algorithm = "recursive-doubling";
    operation.ranks = 8;
    operation.size = 1000;
    const double engine = predict(machine, operation, PredictionModel::engine).seconds;
    const double model = predict(machine, operation, PredictionModel::model).seconds;
    machine.collectives = {.combine = 1e-9,
                           .copy = 2e-9,
                           .exchange = 1e-7,
                           .exchange_per_byte = 5e-10,
                           .skew = 3e-6,
                           .skew_per_doubling = 1e-6,
                           .low = 0.5,
                           .high = 2};
    const double more = 3000 * 1e-9 + 1000 * 2e-9 + 3 * 1e-7 + 3000 * 5e-10 + 3e-6 + 3 * 1e-6;
    CHECK(predict(machine, operation, PredictionModel::engine).seconds == Approx(engine + more));
    const Prediction made = predict(machine, operation, PredictionModel::model);
    CHECK(made.seconds == Approx(model + more));
    CHECK(made.low == Approx(made.seconds / 2));
    CHECK(made.high == Approx(made.seconds * 2));

    operation.name = "send";
    operation.algorithm = "direct";
    operation.ranks = 2;
    const Prediction sent = predict(machine, operation);
    CHECK(sent.low == sent.seconds);
    CHECK(sent.high == sent.seconds);
}

TEST_CASE("what the library's algorithm takes otherwise multiplies its time", "[predict]") {
    Profile machine = test::infiniband();
    Operation operation;
    operation.name = "allreduce";
    operation.algorithm = "ring";
    operation.ranks = 8;
    operation.size = 1000;
    const double before = predict(machine, operation).seconds;
    const double model = predict(machine, operation, PredictionModel::model).seconds;
    machine.algorithms = {{"allreduce", "ring", {1000}, {3}}, {"allgather", "ring", {1000}, {7}}};
    CHECK(predict(machine, operation).seconds == Approx(3 * before));
    CHECK(predict(machine, operation, PredictionModel::model).seconds == Approx(3 * model));
    // The best one is chosen by it.
    operation.algorithm = "best";
    operation.size = 1 << 24;
    machine.algorithms = {};
    const Prediction best = predict(machine, operation, PredictionModel::model);
    machine.algorithms = {{"allreduce", best.algorithm, {1}, {100}}};
    CHECK(predict(machine, operation, PredictionModel::model).algorithm != best.algorithm);
}

TEST_CASE("an interval that is none is refused", "[predict]") {
    Profile machine = test::infiniband();
    machine.collectives.emplace().low = 2;
    CHECK_THROWS_WITH(validate(machine), "collectives.low must be at most collectives.high");
    machine.collectives = CollectiveCosts{};
    machine.collectives->combine = -1;
    CHECK_THROWS_WITH(validate(machine), "collectives.combine must be 0 or more");
}

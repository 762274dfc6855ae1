#include "lapwing/predict/operation_time.hpp"

#include <catch2/catch.hpp>

#include "lapwing/predict/local_work.hpp"
#include "lapwing/predict/predict.hpp"
#include "lapwing/simulate/simulate.hpp"
#include "support/machine.hpp"

using namespace lapwing;

namespace {

/// A machine on which everything counts that predictions add to messages.
Profile fitted() {
    Profile machine = test::infiniband();
    machine.collectives = {.combine = 1e-9,
                           .copy = 2e-9,
                           .pack = 3e-7,
                           .exchange = 1e-7,
                           .exchange_per_byte = 5e-10,
                           .fresh = 1e-10,
                           .skew = 3e-6,
                           .skew_per_doubling = 1e-6,
                           .low = 0.5,
                           .high = 2};
    machine.algorithms = {{"allreduce", "ring", {1000}, {3}}};
    return machine;
}

CollectiveTime simulated(const Profile& profile, const simulate::CollectiveChoice& choice,
                         const simulate::MeasuredMachine::Options& options = {}) {
    const simulate::MeasuredMachine machine(profile, options);
    const auto finish = simulate::simulate(*simulate::make_collective(choice), machine).finish;
    return collective_time(profile, machine, options, choice, finish);
}

}  // namespace

TEST_CASE("a simulated collective takes what is predicted of it", "[predict]") {
    const Profile machine = fitted();
    for (const auto& operation : simulate::collective_operations())
        for (const auto& algorithm : simulate::collective_algorithms(operation))
            for (const std::uint64_t ranks : {1, 2, 7, 16})
                for (const std::uint64_t size : {1, 100'000}) {
                    Operation asked;
                    asked.name = operation;
                    asked.algorithm = algorithm;
                    asked.ranks = ranks;
                    asked.size = size;
                    const Prediction predicted = predict(machine, asked, PredictionModel::engine);
                    const CollectiveTime made =
                        simulated(machine, {.operation = operation,
                                            .algorithm = algorithm,
                                            .ranks = static_cast<simulate::Rank>(ranks),
                                            .size = size});
                    INFO(operation << " " << algorithm << " " << ranks << " " << size);
                    CHECK(made.seconds == predicted.seconds);
                    CHECK(made.low == predicted.low);
                    CHECK(made.high == predicted.high);
                }
}

TEST_CASE("a simulated collective counts the segments that it has", "[predict]") {
    const Profile machine = fitted();
    const simulate::CollectiveChoice usual{
        .operation = "allreduce", .algorithm = "segmented-ring", .ranks = 4, .size = 1 << 20};
    simulate::CollectiveChoice finer = usual;
    finer.segment = 1024;
    CHECK(local_work(finer).exchanges > local_work(usual).exchanges);
    CHECK(local_work(finer).combined == Approx(local_work(usual).combined).epsilon(0.01));
    Profile messages = machine;
    messages.collectives = {};
    const double more = simulated(machine, finer).seconds - simulated(messages, finer).seconds;
    CHECK(more == Approx(local_seconds(*machine.collectives, local_work(finer), 4)));
}

TEST_CASE("blocks that differ count as the longest", "[predict]") {
    const simulate::CollectiveChoice choice{.operation = "gatherv",
                                            .algorithm = "linear",
                                            .ranks = 3,
                                            .size = 1,
                                            .sizes = {10, 5000, 0}};
    CHECK(local_work(choice).copied == 5000);
}

TEST_CASE("without costs a simulated collective takes what its messages take", "[predict]") {
    const Profile machine = test::infiniband();
    const simulate::CollectiveChoice choice{
        .operation = "allreduce", .algorithm = "ring", .ranks = 8, .size = 1000};
    const simulate::MeasuredMachine measured(machine, 1);
    const auto finish = simulate::simulate(*simulate::make_collective(choice), measured).finish;
    const CollectiveTime made = collective_time(machine, measured, {}, choice, finish);
    CHECK(made.seconds == static_cast<double>(finish) * 1e-12);
    CHECK(made.low == made.seconds);
    CHECK(made.high == made.seconds);
}

TEST_CASE("ranks that share a node wait for its memory", "[predict]") {
    Profile machine = test::infiniband();
    machine.pairs = {{.name = "within a node",
                      .ranks = {0, 1},
                      .loggp = machine.loggp,
                      .error = {},
                      .sizes = {8, 1 << 20},
                      .half_round_trip = {1e-6, 1e-4},
                      .bandwidth = {0, 1e10}}};
    machine.collectives = CollectiveCosts{.combine = 2e-10, .copy = 1e-10};
    const auto seconds = [&](std::uint64_t ranks, std::uint64_t ranks_per_node) {
        return predict(machine, {.name = "allreduce",
                                 .algorithm = "recursive-doubling",
                                 .ranks = ranks,
                                 .size = 1 << 20,
                                 .stride = {},
                                 .ranks_per_node = ranks_per_node})
            .seconds;
    };
    const double one_a_node = seconds(8, 1);
    const double unhindered = seconds(8, 8);
    // As fast as the ranks are, or faster, memory is no limit.
    machine.collectives->node_copy = 1e-10 / 8;
    CHECK(seconds(8, 1) == one_a_node);
    CHECK(seconds(8, 8) > unhindered);  // messages are copied twice
    machine.collectives->node_copy = 4e-10 / 8;
    CHECK(seconds(8, 1) == one_a_node);
    // Three messages at 8e-10 a byte; the own data is copied at 4e-10, and three times as many
    // bytes are combined at 8e-10, four times as long as alone.
    constexpr double bytes = 1 << 20;
    CHECK(seconds(8, 8) ==
          Approx(3 * (1e-6 + 8e-10 * bytes) + (4e-10 + 3 * 8e-10) * bytes).epsilon(1e-3));
    // Two ranks of such a node are no more than two.
    CHECK(machine.collectives->among(2).copy == 1e-10);
    CHECK(machine.collectives->among(8).combine == Approx(8e-10));
}

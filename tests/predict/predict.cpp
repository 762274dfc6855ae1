#include "lapwing/predict/predict.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <optional>
#include <vector>

#include "lapwing/predict/grid.hpp"
#include "support/machine.hpp"

using namespace lapwing;
using Model = PredictionModel;

namespace {

/// A profile whose table entries all differ, with strides.
Profile measured() {
    Profile profile = test::full_profile();
    profile.bandwidth = {
        .sizes = {8, 65536}, .unidirectional = {7e6, 3.1e9}, .bidirectional = {8e6, 4e9}};
    profile.latency = {
        .sizes = {8, 65536}, .half_round_trip = {8.1e-6, 41e-6}, .bandwidth = {6e6, 2.9e9}};
    return profile;
}

Operation operation(const char* name, const char* algorithm, std::uint64_t ranks,
                    std::uint64_t size) {
    Operation asked;
    asked.name = name;
    asked.algorithm = algorithm;
    asked.ranks = ranks;
    asked.size = size;
    return asked;
}

}  // namespace

TEST_CASE("a message by itself takes what was measured, by engine and by model", "[predict]") {
    const auto profile = measured();
    for (const auto model : {Model::engine, Model::model}) {
        const auto send = predict(profile, operation("send", "best", 2, 65536), model);
        CHECK(send.seconds == Approx(41e-6));
        CHECK(send.algorithm == "direct");
        CHECK(send.model == model);
        CHECK(send.measured_range);
        auto near = operation("send", "direct", 2, 65536);
        near.ranks_per_node = 2;
        CHECK(predict(profile, near, model).seconds == Approx(9e-6));
        CHECK_FALSE(predict(profile, operation("send", "best", 2, 65537), model).measured_range);
    }
}

TEST_CASE("few messages are simulated, more predicted by closed forms, and both agree",
          "[predict]") {
    const auto profile = test::infiniband();
    const auto few = predict(profile, operation("bcast", "binomial", 1024, 1000));
    CHECK(few.model == Model::engine);
    CHECK(
        few.seconds ==
        Approx(predict(profile, operation("bcast", "binomial", 1024, 1000), Model::model).seconds));
    const auto many = predict(profile, operation("bcast", "binomial", 1 << 20, 1000));
    CHECK(many.model == Model::model);
    CHECK(many.seconds == Approx(2 * few.seconds));
    CHECK(predict(profile, operation("alltoall", "ring", 128, 1)).model == Model::engine);
    CHECK(predict(profile, operation("alltoall", "ring", 1024, 1)).model == Model::model);
}

TEST_CASE("the best is the fastest of all", "[predict]") {
    const auto profile = test::infiniband();
    for (const std::uint64_t size : {8U, 100000U}) {
        const auto best = predict(profile, operation("bcast", "best", 48, size));
        bool found = false;
        for (const auto& name : predicted_algorithms("bcast")) {
            const auto each = predict(profile, operation("bcast", name.c_str(), 48, size));
            CHECK(best.seconds <= each.seconds);
            found = found || (each.algorithm == best.algorithm && each.seconds == best.seconds);
        }
        CHECK(found);
    }
    CHECK(predict(profile, operation("bcast", "best", 48, 8)).algorithm == "k-nomial");
}

TEST_CASE("an MPI library chooses the algorithm", "[predict]") {
    const auto profile = test::infiniband();
    CHECK(predict(profile, operation("bcast", "mpich", 16, 16384)).algorithm ==
          "scatter-recursive-doubling");
    CHECK(predict(profile, operation("alltoall", "mvapich2", 16, 8)).algorithm == "bruck");
    CHECK(predict(profile, operation("barrier", "openmpi", 16, 1)).algorithm ==
          "recursive-doubling");
}

TEST_CASE("printed formulas are predicted as printed", "[predict]") {
    Profile ranger;
    ranger.loggp = {.L = 1.95e-6, .o_s = 0.65e-6, .o_r = 0.65e-6, .g = 0.65e-6, .G = 1e-9};
    const auto barrier = predict(ranger, operation("barrier", "best", 256, 1), Model::printed);
    CHECK(barrier.seconds == Approx(26e-6));
    CHECK(barrier.model == Model::printed);
    CHECK(barrier.algorithm == "dissemination");
    CHECK_THROWS_WITH(predict(ranger, operation("alltoall", "bruck", 256, 1), Model::printed),
                      Catch::Contains("--only kernels"));
    CHECK_THROWS_WITH(predict(ranger, operation("allreduce", "best", 256, 1), Model::printed),
                      Catch::Contains("no paper prints"));
    ranger.kernels = {{"copy", 8e9}};
    CHECK(predict(ranger, operation("alltoall", "mvapich2", 256, 2), Model::printed).seconds ==
          Approx(26.32e-6));
}

TEST_CASE("packing of strided data takes processor time", "[predict]") {
    const auto profile = measured();
    auto strided = operation("send", "direct", 2, 65536);
    strided.stride = 1024;
    CHECK(predict(profile, strided, Model::printed).seconds == Approx(2.7e-6 + 95e-6 + 25.7e-6));
    // To a peer 119 us were measured, and 41 us contiguous: the stride adds the rest.
    const double more = 119e-6 - 41e-6;
    CHECK(predict(profile, strided).seconds == Approx(119e-6));
    // The root packs each message: two more cost two packings, or the wire if that is slower.
    auto bcast = strided;
    bcast.name = "bcast";
    bcast.algorithm = "linear";
    bcast.ranks = 4;
    CHECK(predict(profile, bcast).seconds > 41e-6 + more + more);
    CHECK(predict(profile, strided).measured_range);
    strided.size = 512;
    CHECK_FALSE(predict(profile, strided).measured_range);
    strided.size = 65536;
    strided.stride = 2048;
    CHECK_FALSE(predict(profile, strided).measured_range);
    CHECK(predict(profile, bcast, Model::engine).seconds ==
          Approx(predict(profile, bcast, Model::model).seconds));
    CHECK_THROWS_WITH(predict(test::infiniband(), strided), Catch::Contains("log3p"));
}

TEST_CASE("a message packed by hand takes the time that was measured", "[predict]") {
    const auto profile = measured();
    auto packed = operation("send", "direct", 2, 65536);
    packed.stride = 1024;
    packed.packed = true;
    CHECK(predict(profile, packed).seconds == Approx(170e-6));
    packed.stride.reset();
    CHECK_THROWS_WITH(predict(profile, packed), Catch::Contains("needs no packing"));
}

TEST_CASE("the first message of an operation is isolated, a send is not", "[predict]") {
    auto profile = measured();
    const auto seconds = [&](const char* name, const char* algorithm, std::uint64_t size,
                             std::optional<std::uint64_t> stride = {}, bool packed = false) {
        auto asked = operation(name, algorithm, 2, size);
        asked.stride = stride;
        asked.packed = packed;
        return predict(profile, asked).seconds;
    };
    const double send = seconds("send", "direct", 65536);
    CHECK(send == Approx(41e-6));
    // 29.4 us instead of 41, and strided 121 us instead of 119.
    const double after = 29.4e-6 - 41e-6;
    CHECK(seconds("bcast", "linear", 65536) == Approx(send + after));
    CHECK(seconds("bcast", "linear", 65536, 1024) ==
          Approx(seconds("send", "direct", 65536, 1024) + 2e-6));
    CHECK(seconds("bcast", "linear", 65536, 1024, true) ==
          Approx(seconds("send", "direct", 65536, 1024, true) + 2e-6));
    // Overheads that do not add up to a message make no difference.
    profile.log3p->o_mw = {1, 1};
    CHECK(seconds("bcast", "linear", 65536) == Approx(send + after));
    // Beyond the table, and below it, the correction is that of the nearest size.
    const double longest = seconds("send", "direct", 1 << 20);
    CHECK(seconds("bcast", "linear", 1 << 20) == Approx(longest + after));
    const double shortest = seconds("bcast", "linear", 1024) - seconds("send", "direct", 1024);
    CHECK(seconds("bcast", "linear", 8) == Approx(seconds("send", "direct", 8) + shortest));
    // The first message of a scatter has half of the bytes.
    const double scattered = seconds("bcast", "scatter-ring", 65536);
    profile.log3p->isolated = {6.4e-6, 28.4e-6};
    const double half_way = (32768. - 1024) / (65536 - 1024);
    CHECK(scattered - seconds("bcast", "scatter-ring", 65536) ==
          Approx(1.5e-6 + half_way * (1e-6 - 1.5e-6)));
    // The correction never makes a prediction negative.
    profile.log3p->isolated = {0, 0};
    CHECK(seconds("barrier", "dissemination", 0) >= 0);
}

TEST_CASE("a grid is its predictions, one by one", "[predict]") {
    const auto profile = test::infiniband();
    const std::array<std::uint64_t, 6> ranks{2, 9, 64, 65, 200, 512};
    const std::array<std::uint64_t, 5> sizes{8, 50000, 2000, 1000000, 1};
    const auto model = GENERATE(Model::automatic, Model::model, Model::printed);
    for (const auto& name : {"allreduce", "bcast", "reduce_scatter", "barrier", "alltoall"}) {
        if (model == Model::printed && name != std::string("bcast")) continue;
        const auto grid = predict(profile, operation(name, "best", 0, 0), ranks, sizes, model);
        for (std::size_t i = 0; i < ranks.size(); ++i)
            for (std::size_t j = 0; j < sizes.size(); ++j) {
                const std::size_t at = i * sizes.size() + j;
                if (model == Model::automatic && grid.model[at] == Model::model) continue;
                const auto each =
                    predict(profile, operation(name, "best", ranks[i], sizes[j]), model);
                INFO(name << ", " << ranks[i] << " ranks, " << sizes[j] << " bytes");
                CHECK(grid.seconds[at] == each.seconds);
                CHECK(grid.names[grid.algorithm[at]] == each.algorithm);
                CHECK(grid.model[at] == each.model);
                CHECK((grid.measured_range[at] == 1) == each.measured_range);
            }
    }
}

TEST_CASE("a grid simulates schedules for some seconds, those of the fewest messages first",
          "[predict]") {
    const auto profile = test::infiniband();
    const auto all = operation("alltoall", "pairwise", 0, 0);
    std::vector<std::uint64_t> sizes;
    for (std::uint64_t size = 1; size <= 120; ++size) sizes.push_back(size);
    const std::array<std::uint64_t, 2> ranks{4, 256};
    // One prediction may have 65,536 messages.
    const auto one = predict(profile, all, ranks, std::array<std::uint64_t, 1>{8});
    CHECK(one.model == std::vector{Model::engine, Model::engine});
    const auto many = predict(profile, all, ranks, sizes, Model::automatic, 10000);
    CHECK(many.model.front() == Model::engine);
    CHECK(many.model.back() == Model::model);
    // So many predictions use closed forms alone.
    const auto most = predict(profile, all, ranks, sizes, Model::automatic, 10001);
    CHECK(most.model.front() == Model::model);
}

TEST_CASE("with several leaf switches, closed forms are for ranks of different ones", "[predict]") {
    auto flat = measured();
    flat.topology = std::nullopt;
    auto tree = flat;
    // The two measured nodes are under one leaf switch.
    tree.topology = Topology{
        .nodes = 64, .below = 8, .uplinks = 8, .near = 8.1e-6, .far = 11.1e-6, .reason = ""};
    const auto barrier = operation("barrier", "dissemination", 64, 1);
    const double near = predict(flat, barrier).seconds;
    // In three of six rounds all ranks send to other leaf switches, in the others some do.
    const double engine = predict(tree, barrier, Model::engine).seconds;
    CHECK(engine > near + 3 * 2.9e-6);
    CHECK(engine <= Approx(near + 6 * 3e-6));
    CHECK(predict(tree, barrier, Model::model).seconds == Approx(near + 6 * 3e-6));
}

TEST_CASE("a question that cannot be answered is refused in one line", "[predict]") {
    const auto profile = test::infiniband();
    const auto says = [&](const Operation& asked, const char* what) {
        CHECK_THROWS_WITH(predict(profile, asked), Catch::Contains(what));
    };
    says(operation("bcats", "best", 8, 8), "did you mean 'bcast'");
    says(operation("bcast", "binomail", 8, 8), "did you mean 'binomial'");
    says(operation("bcast", "openmp", 8, 8), "did you mean 'openmpi'");
    says(operation("bcast", "best", 0, 8), "ranks must be from 1");
    says(operation("bcast", "best", std::uint64_t{1} << 40U, 8), "ranks must be from 1");
    says(operation("bcast", "best", 8, std::uint64_t{1} << 40U), "a size must be");
    says(operation("send", "best", 3, 8), "a send has two ranks");
    auto asked = operation("bcast", "best", 8, 8);
    asked.ranks_per_node = 4;
    says(asked, "--ppn 2 or more measures it");
    asked.ranks_per_node = 0;
    says(asked, "ranks per node");
    auto barrier = operation("barrier", "best", 8, 1);
    barrier.stride = 8;
    says(barrier, "a barrier has no data");
}

TEST_CASE("one rank has nothing to communicate", "[predict]") {
    const auto profile = test::infiniband();
    for (const auto& name : predicted_operations()) {
        if (name == "send") continue;
        for (const auto model : {Model::engine, Model::model})
            CHECK(predict(profile, operation(name.c_str(), "best", 1, 100), model).seconds == 0);
    }
}

#include "lapwing/forecast/forecast.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "lapwing/io/profile_json.hpp"
#include "lapwing/pipeline/collectives/allreduce.hpp"
#include "lapwing/pipeline/halo.hpp"
#include "lapwing/simulate/engine/result.hpp"

using namespace lapwing;

namespace {

Profile machine() { return load_profile(LAPWING_TEST_DATA "/profiles/full.json"); }

/// Seconds of a message of `bytes` bytes from rank 0 to rank 1.
double message(std::size_t bytes, double computed_meanwhile = 0) {
    return forecast(machine(), {.ranks = 2}, [&](RecordedRank& rank) {
        if (rank.rank() == 0) {
            rank.send(nullptr, bytes, 1, 0).wait();
        } else {
            auto arriving = rank.receive(nullptr, bytes, 0, 0);
            rank.compute(computed_meanwhile);
            arriving.wait();
        }
    });
}

}  // namespace

TEST_CASE("forecast: computation takes what the program says") {
    const double seconds = forecast(machine(), {.ranks = 3}, [](RecordedRank& rank) {
        rank.compute(1e-3);
        rank.compute(static_cast<double>(rank.rank()) * 1e-3);
        CHECK(rank.now() == Approx((1 + rank.rank()) * 1e-3));
        CHECK(rank.size() == 3);
    });
    CHECK(seconds == Approx(3e-3));
}

TEST_CASE("forecast: a message takes what the machine's profile says") {
    const simulate::MeasuredMachine costs(machine(), 1);
    for (const std::size_t bytes : {64, 4096, 1 << 20})
        CHECK(message(bytes) == Approx(costs.alone(bytes)).epsilon(0.01));
}

TEST_CASE("forecast: what is computed meanwhile hides a message") {
    const double alone = message(1 << 20);
    CHECK(message(1 << 20, alone / 2) < alone * 1.01);
    CHECK(message(1 << 20, 2 * alone) < 2.1 * alone);
}

TEST_CASE("forecast: templates run on recorded ranks") {
    const auto around = [](bool overlapped) {
        return forecast(machine(), {.ranks = 4}, [&](RecordedRank& rank) {
            const std::vector<double> out(1 << 17);
            std::vector<double> in(out.size());
            const int next = (rank.rank() + 1) % rank.size();
            const int before = (rank.rank() + rank.size() - 1) % rank.size();
            const std::span<const double> sent(out);
            const std::span<double> received(in);
            const std::size_t half = sent.size() / 2;
            std::vector<Edge<double>> edges{{before, sent.first(half), received.first(half), 0, 1},
                                            {next, sent.last(half), received.last(half), 1, 0}};
            Halo halo(rank, edges);
            const auto compute = [&] { rank.compute(1e-3); };
            if (overlapped) {
                halo.exchange(compute, [](std::size_t) {});
            } else {
                halo.exchange([] {});
                compute();
            }
        });
    };
    CHECK(around(true) < around(false));
    CHECK(around(true) >= 1e-3);
}

TEST_CASE("forecast: a sum over ranks takes a round for each doubling") {
    const auto sums = [](int ranks) {
        return forecast(machine(), {.ranks = ranks}, [](RecordedRank& rank) {
            Allreduce<RecordedRank> sum(rank, 1, 0, 0);
            double all = 0;
            sum.allreduce(std::array{1.0}, &all).wait();
        });
    };
    CHECK(sums(1) == 0);
    CHECK(sums(16) > 3 * sums(2));
    CHECK(sums(16) <= 4 * sums(2));
}

TEST_CASE("forecast: a program that takes longer than a limit is given up") {
    const auto around = [](double most) {
        return forecast(
            machine(), {.ranks = 3},
            [](RecordedRank& rank) {
                const int next = (rank.rank() + 1) % 3;
                const int before = (rank.rank() + 2) % 3;
                auto arriving = rank.receive(nullptr, 1 << 20, before, 0);
                rank.send(nullptr, 1 << 20, next, 0).wait();
                arriving.wait();
                rank.compute(1e-3);
            },
            most);
    };
    constexpr double unlimited = std::numeric_limits<double>::infinity();
    const double seconds = around(unlimited);
    CHECK(seconds > 1e-3);
    CHECK(around(seconds * 1.001) == seconds);
    CHECK(around(seconds * 0.999) == unlimited);
    CHECK(around(0) == unlimited);
    CHECK(around(1e30) == seconds);
}

TEST_CASE("forecast: a program that waits for nobody's message cannot end") {
    CHECK_THROWS_AS(forecast(machine(), {.ranks = 2},
                             [](RecordedRank& rank) { rank.receive(nullptr, 8, 0, 0).wait(); }),
                    simulate::Deadlock);
}

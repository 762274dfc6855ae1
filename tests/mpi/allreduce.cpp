// Sums by recursive doubling and multiplying are right, and the same on all ranks to the bit, over
// every transport.
#include "lapwing/pipeline/collectives/allreduce.hpp"

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "../support/check.hpp"
#include "../support/random.hpp"
#include "lapwing/compute/charge.hpp"
#include "lapwing/compute/clock.hpp"
#include "lapwing/transport/all_transports.hpp"
#include "lapwing/transport/mpi/communicator.hpp"

using lapwing::test::Random;

namespace {

/// What rank `rank` adds: fractions, which show the order of additions.
std::vector<double> part(int rank, std::size_t count, std::uint64_t seed) {
    Random random(seed * 100 + static_cast<std::uint64_t>(rank));
    std::vector<double> values(count);
    for (double& value : values) value = random.uniform(-1, 1);
    return values;
}

template <lapwing::Transport T>
void check(T& transport, const lapwing::Communicator& all, double poll_interval,
           const lapwing::Groups& groups) {
    constexpr std::size_t most = 20'000;
    lapwing::Allreduce sums(transport, most, 5, poll_interval, groups);
    const int rank = all.rank();
    std::uint64_t seed = 0;
    for (const std::size_t count : {1, 0, 20'000, 3}) {
        for (int how = 0; how < 4; ++how) {
            const auto own = part(rank, count, ++seed);
            std::vector<double> sum(count);
            {
                auto from = own;
                auto request = sums.allreduce(from, sum.data());
                std::fill(from.begin(), from.end(), 1e300);  // it is free again
                if (how == 0) request.wait();
                while (how == 1 && !request.test()) {
                }
                if (how == 2) {
                    // Other ranks may be late meanwhile, and the request may be moved.
                    lapwing::wait_until(lapwing::now() + 20e-6);
                    lapwing::poll();
                    auto moved = std::move(request);
                    moved.wait();
                    CHECK(moved.test());
                }
            }
            std::vector<double> right(count, 0);
            for (int other = 0; other < all.size(); ++other) {
                const auto theirs = part(other, count, seed);
                for (std::size_t i = 0; i < count; ++i) right[i] += theirs[i];
            }
            bool near = true;
            for (std::size_t i = 0; i < count; ++i)
                near = near && std::abs(sum[i] - right[i]) < 1e-12;
            CHECK(near);
            auto first = sum;
            MPI_Bcast(first.data(), static_cast<int>(count), MPI_DOUBLE, 0, all.get());
            CHECK(count == 0 || std::memcmp(first.data(), sum.data(), count * sizeof(double)) == 0);
        }
    }
    // One after the other, however far the other ranks are.
    double value = rank;
    for (int i = 0; i < 10; ++i) {
        const double each = value / all.size();
        sums.allreduce({&each, 1}, &value).wait();
    }
    CHECK(std::abs(value - (all.size() - 1) / 2.0) < 1e-12);
    // What would lose numbers is refused.
    bool refused = false;
    try {
        const std::vector<double> more(most + 1);
        std::vector<double> into(most + 1);
        sums.allreduce(more, into.data()).wait();
    } catch (const std::length_error&) {
        refused = true;
    }
    CHECK(refused);
    refused = false;
    try {
        const lapwing::Allreduce impossible(transport, 1, 5, 0, {2, all.size()});
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    CHECK(refused);
}

/// A sum advances behind a computation that polls, at the interval that was measured.
template <lapwing::Transport T>
void check_measured(T& transport, const lapwing::Communicator& all) {
    // All wait for the sum, or none does.
    lapwing::Allreduce sums(transport, 1, 5);
    const lapwing::Allreduce behind(transport, 1, 5, lapwing::Behind{.seconds = 1});
    CHECK(behind.groups() == lapwing::model::recursive_multiplying::doubling(all.size()));
    CHECK(sums.groups().size() <= behind.groups().size());
    const double one = 1;
    double sum = 0;
    auto request = sums.allreduce({&one, 1}, &sum);
    if constexpr (lapwing::simulated_time) {
        for (int piece = 0; piece < 200; ++piece) {
            lapwing::charge(5e-6);
            lapwing::poll();
        }
        CHECK(sum == all.size());
    }
    request.wait();
    CHECK(sum == all.size());
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    {
        const lapwing::Communicator all;
        lapwing::all_transports(all.get(), 16 << 20, [&](const char*, auto& transport) {
            // With more than two ranks a collective has to be told the partners.
            if (lapwing::InOrder<std::remove_reference_t<decltype(transport)>> && all.size() > 2)
                return;
            check(transport, all, 0, lapwing::model::recursive_multiplying::doubling(all.size()));
            check(transport, all, 1e-6, lapwing::Groups(all.size() > 1 ? 1 : 0, all.size()));
            check_measured(transport, all);
        });
    }
    int failed = 0;
    MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}

// All-to-alls of data whose sizes only their senders know: any sizes, any number under way, awaited
// or only looked at.
#include "lapwing/pipeline/collectives/alltoall_varying.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "../support/check.hpp"
#include "../support/random.hpp"

using lapwing::AlltoallVarying;
using lapwing::test::Random;

namespace {

/// Elements that rank `from` has for rank `to` in exchange `index`: often none, sometimes many.
std::vector<double> made(std::uint64_t index, int from, int to) {
    const auto key = static_cast<std::uint64_t>(101 * from + to);
    Random random(index * 1'000'003 + key);
    const auto count =
        random.chance(0.2) ? 0 : static_cast<std::size_t>(random.log_uniform(1, 20'000));
    std::vector<double> all(count);
    for (std::size_t i = 0; i < count; ++i)
        all[i] = static_cast<double>(index * 7 + key * 3 + i % 1009);
    return all;
}

/// What this rank gives, with a gap before each part.
struct Given {
    std::vector<double> data;
    std::vector<std::size_t> counts;
    std::vector<std::size_t> begins;

    Given(std::uint64_t index, int rank, int ranks) {
        for (int to = 0; to < ranks; ++to) {
            const auto part = made(index, rank, to);
            data.insert(data.end(), 3, -1);
            begins.push_back(data.size());
            counts.push_back(part.size());
            data.insert(data.end(), part.begin(), part.end());
        }
    }
};

void check_arrived(const AlltoallVarying::Request& request, std::uint64_t index, int rank,
                   int ranks) {
    for (int from = 0; from < ranks; ++from) {
        const auto expected = made(index, from, rank);
        const auto arrived = request.arrived(from);
        CHECK(arrived.size() == expected.size() * sizeof(double));
        CHECK(expected.empty() ||
              std::memcmp(arrived.data(), expected.data(), arrived.size()) == 0);
    }
}

void windowed(std::size_t window, std::uint64_t count) {
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    AlltoallVarying exchanges(MPI_COMM_WORLD, MPI_DOUBLE, sizeof(double));
    CHECK(exchanges.size() == ranks);
    std::vector<Given> given;
    for (std::uint64_t index = 0; index < count; ++index) given.emplace_back(index, rank, ranks);
    std::vector<AlltoallVarying::Request> requests(window);
    for (std::uint64_t index = 0; index < count + window; ++index) {
        auto& request = requests[index % window];
        if (index >= window) {
            // Some ranks ask, others wait.
            while ((index + static_cast<std::uint64_t>(rank)) % 3 == 0 && !request.test()) {
            }
            request.wait();
            CHECK(request.test());
            check_arrived(request, index - window, rank, ranks);
        }
        if (index >= count) continue;
        request = {};
        request = exchanges.exchange(given[index].data.data(),
                                     {given[index].counts, given[index].begins});
    }
    // Left alone, it ends all the same.
    const auto last = exchanges.exchange(given[0].data.data(), {given[0].counts, given[0].begins});
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    for (const std::size_t window : {1U, 2U, 5U}) windowed(window, 12);
    int failed = lapwing::test::failures();
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}

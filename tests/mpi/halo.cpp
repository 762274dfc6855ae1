// Iterations over random grids, distributed in two dimensions, periodic or not, give the serial
// result to the bit over every transport: with a neighbour on both sides, and with oneself.
#include "lapwing/pipeline/halo.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "../support/check.hpp"
#include "../support/random.hpp"
#include "lapwing/transport/all_transports.hpp"
#include "lapwing/transport/collective/collective.hpp"
#include "lapwing/transport/memory.hpp"
#include "lapwing/transport/mpi/communicator.hpp"
#include "lapwing/transport/mpi/mpi_error.hpp"
#include "lapwing/transport/two_sided/two_sided.hpp"

using lapwing::test::Random;

namespace {

/// A problem, the same on all ranks.
struct Case {
    std::array<int, 2> ranks;  ///< along rows, columns
    std::array<bool, 2> periodic;
    std::array<int, 2> cells;
    int steps;
    lapwing::Plan plan;  ///< of messages, and when to poll
    std::uint64_t seed;
};

/// One step at a place, the same expression wherever it is computed.
double next(double here, double north, double south, double west, double east) {
    return 0.3 * here + 0.19 * north + 0.17 * south + 0.23 * west + 0.11 * east;
}

std::vector<double> initial(const Case& c) {
    Random random(c.seed);
    std::vector<double> grid(static_cast<std::size_t>(c.cells[0] * c.cells[1]));
    for (double& value : grid) value = random.uniform(-1, 1);
    return grid;
}

/// The serial result. Beyond the ends are zeros.
std::vector<double> serial(const Case& c) {
    std::vector<double> grid = initial(c);
    const auto at = [&](int row, int column) {
        if (c.periodic[0]) row = (row + c.cells[0]) % c.cells[0];
        if (c.periodic[1]) column = (column + c.cells[1]) % c.cells[1];
        if (row < 0 || row >= c.cells[0] || column < 0 || column >= c.cells[1]) return 0.0;
        return grid[static_cast<std::size_t>(row * c.cells[1] + column)];
    };
    for (int step = 0; step < c.steps; ++step) {
        std::vector<double> then;
        for (int i = 0; i < c.cells[0]; ++i)
            for (int j = 0; j < c.cells[1]; ++j)
                then.push_back(
                    next(at(i, j), at(i - 1, j), at(i + 1, j), at(i, j - 1), at(i, j + 1)));
        grid = std::move(then);
    }
    return grid;
}

/// Where the part of rank `at` among `ranks` begins.
int begin_of(int cells, int ranks, int at) { return cells * at / ranks; }

/// A rank's block with a frame of what its neighbours have.
class Block {
  public:
    Block(const Case& c, int rank)
        : case_(c),
          at_{rank / c.ranks[1], rank % c.ranks[1]},
          first_{begin_of(c.cells[0], c.ranks[0], at_[0]),
                 begin_of(c.cells[1], c.ranks[1], at_[1])},
          size_{begin_of(c.cells[0], c.ranks[0], at_[0] + 1) - first_[0],
                begin_of(c.cells[1], c.ranks[1], at_[1] + 1) - first_[1]},
          now_(static_cast<std::size_t>((size_[0] + 2) * (size_[1] + 2))),
          then_(now_.size()) {
        const auto whole = initial(c);
        for (int i = 0; i < size_[0]; ++i)
            for (int j = 0; j < size_[1]; ++j) now_[place(i, j)] = whole[global(i, j)];
    }

    /// Sides are north, south, west, east: a dimension and a direction.
    [[nodiscard]] int peer(std::size_t side) const {
        const std::size_t d = side / 2;
        auto there = at_;
        there[d] += side % 2 == 0 ? -1 : 1;
        if (case_.periodic[d]) there[d] = (there[d] + case_.ranks[d]) % case_.ranks[d];
        if (there[d] < 0 || there[d] >= case_.ranks[d]) return -1;
        return there[0] * case_.ranks[1] + there[1];
    }
    [[nodiscard]] std::size_t length(std::size_t side) const {
        return static_cast<std::size_t>(size_[1 - side / 2]);
    }
    void pack(std::size_t side, double* into) const {
        for (std::size_t k = 0; k < length(side); ++k) into[k] = now_[edge(side, k, 0)];
    }
    void unpack(std::size_t side, const double* from) {
        for (std::size_t k = 0; k < length(side); ++k) now_[edge(side, k, 1)] = from[k];
    }
    /// Computes cells that need no neighbour.
    void interior() {
        for (int i = 1; i < size_[0] - 1; ++i) {
            row(i, 1, size_[1] - 1);
            lapwing::poll();
        }
    }
    void border() {
        row(0, 0, size_[1]);
        if (size_[0] > 1) row(size_[0] - 1, 0, size_[1]);
        for (int i = 1; i < size_[0] - 1; ++i) {
            row(i, 0, 1);
            if (size_[1] > 1) row(i, size_[1] - 1, size_[1]);
        }
        now_.swap(then_);
    }
    [[nodiscard]] bool same(const std::vector<double>& whole) const {
        for (int i = 0; i < size_[0]; ++i)
            for (int j = 0; j < size_[1]; ++j)
                if (std::memcmp(&now_[place(i, j)], &whole[global(i, j)], sizeof(double)) != 0)
                    return false;
        return true;
    }

  private:
    [[nodiscard]] std::size_t place(int i, int j) const {
        return static_cast<std::size_t>((i + 1) * (size_[1] + 2) + j + 1);
    }
    [[nodiscard]] std::size_t global(int i, int j) const {
        return static_cast<std::size_t>((first_[0] + i) * case_.cells[1] + first_[1] + j);
    }
    /// Cell `k` of our own edge, or `beyond` it.
    [[nodiscard]] std::size_t edge(std::size_t side, std::size_t k, int beyond) const {
        const std::size_t d = side / 2;
        const int across = side % 2 == 0 ? -beyond : size_[d] - 1 + beyond;
        const int along = static_cast<int>(k);
        return d == 0 ? place(across, along) : place(along, across);
    }
    void row(int i, int from, int to) {
        for (int j = from; j < to; ++j)
            then_[place(i, j)] =
                next(now_[place(i, j)], now_[place(i - 1, j)], now_[place(i + 1, j)],
                     now_[place(i, j - 1)], now_[place(i, j + 1)]);
    }

    const Case& case_;
    std::array<int, 2> at_;
    std::array<int, 2> first_;
    std::array<int, 2> size_;
    std::vector<double> now_;
    std::vector<double> then_;
};

template <lapwing::Transport T>
bool iterate(T& transport, const Case& c, int rank, int how) {
    Block block(c, rank);
    using Memory = decltype(lapwing::memory_for(transport, 0));
    std::vector<Memory> memory;
    std::array<std::vector<lapwing::Side<double>>, 2> buffers;
    const auto some = [&](std::size_t length) {
        memory.push_back(lapwing::memory_for(transport, length * sizeof(double)));
        return std::span(reinterpret_cast<double*>(memory.back().data()), length);
    };
    for (auto& sides : buffers) {
        for (std::size_t side = 0; side < 4; ++side) {
            const auto send = some(block.length(side));
            sides.push_back({block.peer(side), send, some(block.length(side))});
        }
    }
    int step = 0;
    const auto sides = [&]() -> auto& { return buffers[static_cast<std::size_t>(step) % 2]; };
    const auto pack = [&](std::size_t side) {
        block.pack(side, const_cast<double*>(sides()[side].send.data()));
    };
    const auto unpack = [&](std::size_t side) {
        if (sides()[side].peer >= 0) block.unpack(side, sides()[side].receive.data());
    };
    lapwing::Halo halo(transport, c.plan, buffers);
    const auto interior = [&] { block.interior(); };
    for (; step < c.steps; ++step) {
        switch (how) {
            case 0:
                halo.exchange(pack, interior, unpack);
                break;
            case 1:
                for (std::size_t side = 0; side < 4; ++side) pack(side);
                halo.exchange(interior, [&] {
                    for (std::size_t side = 0; side < 4; ++side) unpack(side);
                });
                break;
            default:
                for (std::size_t side = 0; side < 4; ++side) pack(side);
                halo.exchange(interior);
                for (std::size_t side = 0; side < 4; ++side) unpack(side);
        }
        block.border();
    }
    return block.same(serial(c));
}

Case any_case(Random& random, int ranks) {
    std::vector<int> divisors;
    for (int d = 1; d <= ranks; ++d)
        if (ranks % d == 0) divisors.push_back(d);
    const int along = divisors[random.integer(0, divisors.size() - 1)];
    Case c{};
    c.ranks = {along, ranks / along};
    for (std::size_t d = 0; d < 2; ++d) {
        c.periodic[d] = random.chance(0.6);
        const auto fewest = static_cast<std::uint64_t>(c.ranks[d]);
        // Some edges are too long to be sent eagerly.
        c.cells[d] = static_cast<int>(
            random.integer(fewest, d == 1 && random.chance(0.1) ? 30'000 : fewest + 40));
    }
    if (c.cells[1] > 1000) c.cells[0] = c.ranks[0] + 2;
    c.steps = static_cast<int>(random.integer(0, 6));
    c.plan.poll_interval = random.pick({0.0, 1e-6});
    for (auto left = random.integer(0, 3); left > 0; --left)
        c.plan.messages.append(random.integer(1, 100));
    c.seed = random.integer(0, 1'000'000);
    return c;
}

/// Whether a rank is its own neighbour, which is not possible over collectives.
bool meets_itself(const Case& c) {
    return (c.periodic[0] && c.ranks[0] == 1) || (c.periodic[1] && c.ranks[1] == 1);
}

void report(const char* name, const Case& c) {
    std::fprintf(stderr, "%s: %d x %d ranks, %d x %d cells, periodic %d %d, %d steps\n", name,
                 c.ranks[0], c.ranks[1], c.cells[0], c.cells[1], static_cast<int>(c.periodic[0]),
                 static_cast<int>(c.periodic[1]), c.steps);
}

void check_all() {
    const lapwing::Communicator all;
    const int rank = all.rank();
    const auto check = [&](const char* name, auto& transport, const Case& c, int how) {
        const bool same = iterate(transport, c, rank, how);
        if (!same) report(name, c);
        CHECK(same);
    };
    // Ranks that share processors take long.
    const int trials = all.size() > 3 ? 6 : 30;
    lapwing::all_transports(all.get(), 4 << 20, [&](const char* name, auto& transport) {
        using T = std::remove_reference_t<decltype(transport)>;
        if (lapwing::InOrder<T>) return;
        Random random(31);
        for (int trial = 0; trial < trials; ++trial)
            check(name, transport, any_case(random, all.size()), trial % 3);
    });
    // Collectives need to know their partners.
    Random random(32);
    for (int trial = 0; trial < trials / 2; ++trial) {
        const Case c = any_case(random, all.size());
        if (meets_itself(c)) continue;
        const Block block(c, rank);
        std::vector<int> partners;
        for (std::size_t side = 0; side < 4; ++side)
            if (const int peer = block.peer(side); peer >= 0) partners.push_back(peer);
        lapwing::Collective transport(all.get(), partners);
        check("collective", transport, c, trial % 3);
    }
}

/// After an exchange that an exception ended, the next one is complete. An error about a neighbour
/// that does not exist names the call and the neighbour.
void check_failures() {
    lapwing::TwoSided transport;
    lapwing::failure::end_job = nullptr;
    const int rank = transport.rank();
    const int next = (rank + 1) % transport.size();
    const int before = (rank + transport.size() - 1) % transport.size();
    double out = 0;
    double in = -1;
    {
        // To the next rank, from the one before.
        const std::vector<lapwing::Edge<double>> edges{{next, {&out, 1}, {}, 0, 1},
                                                       {before, {}, {&in, 1}, 1, 0}};
        lapwing::Halo halo(transport, edges);
        int refused = 0;
        for (int step = 0; step < 4; ++step) {
            const auto value = [&](int of) { return 10.0 * step + of; };
            try {
                halo.exchange(
                    [&](std::size_t edge) {
                        if (edge == 0) out = value(rank);
                    },
                    [&] {
                        if (step % 2 == 0) throw std::runtime_error("enough");
                    },
                    [&] { CHECK(in == value(before)); });
            } catch (const std::runtime_error&) {
                ++refused;
            }
        }
        CHECK(refused == 2);
    }
#ifndef LAPWING_SMPI  // aborts instead
    const int nobody = transport.size() + 5;
    std::string said;
    try {
        const std::vector<lapwing::Edge<double>> edges{{nobody, {&out, 1}, {&in, 1}, 0, 0}};
        lapwing::Halo halo(transport, edges);
        halo.exchange([] {});
    } catch (const lapwing::MpiError& error) {
        said = error.what();
    }
    CHECK(said.find("_init of rank " + std::to_string(rank)) != std::string::npos);
    CHECK(said.find("with rank " + std::to_string(nobody)) != std::string::npos);
#endif
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_all();
    check_failures();
    int failed = 0;
    MPI_Allreduce(&lapwing::test::failures(), &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed == 0 ? 0 : 1;
}

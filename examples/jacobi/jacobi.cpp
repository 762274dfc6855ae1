// Jacobi iterations: a square plate with one hot side, in blocks on a grid of ranks. The edges of a
// block travel while its interior is computed; its border is computed when they have arrived.
//
//   example-jacobi [CELLS [STEPS]]     CELLS, 100 or more, along each side of the plate
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <lapwing/compute/rates.hpp>
#include <lapwing/lapwing.hpp>
#include <span>
#include <vector>

#include "../argument.hpp"
#include "../seconds.hpp"

namespace {

/// A grid of ranks. Sides are up, down, left, right: side `s` is opposite to `s ^ 1`.
struct Grid {
    MPI_Comm ranks = MPI_COMM_NULL;
    std::array<int, 2> dims{};
    std::array<int, 2> at{};
    std::array<int, 4> peers{};

    Grid() {
        int size = 0;
        const std::array<int, 2> periodic{};
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        MPI_Dims_create(size, 2, dims.data());
        MPI_Cart_create(MPI_COMM_WORLD, 2, dims.data(), periodic.data(), 0, &ranks);
        MPI_Cart_get(ranks, 2, dims.data(), std::array<int, 2>{}.data(), at.data());
        MPI_Cart_shift(ranks, 0, 1, &peers[0], &peers[1]);
        MPI_Cart_shift(ranks, 1, 1, &peers[2], &peers[3]);
    }
    ~Grid() { MPI_Comm_free(&ranks); }
    Grid(const Grid&) = delete;
    Grid& operator=(const Grid&) = delete;
};

/// A rank's part of the plate, with a frame of cells of its neighbours, or of the rim of the plate.
class Block {
  public:
    Block(const Grid& grid, int cells)
        : rows_(part(cells, grid.dims[0], grid.at[0])),
          columns_(part(cells, grid.dims[1], grid.at[1])),
          now_(place(rows_, columns_) + 1, 0.0) {
        if (grid.peers[0] < 0)
            for (int j = 0; j < columns_; ++j) now_[place(-1, j)] = 1;  // the hot side
        then_ = now_;
        for (std::size_t side = 0; side < 4; ++side) {
            const auto length = static_cast<std::size_t>(side < 2 ? columns_ : rows_);
            out_[side].resize(length);
            in_[side].resize(length);
            edges_.push_back({.peer = grid.peers[side],
                              .send = out_[side],
                              .receive = in_[side],
                              .send_tag = static_cast<int>(side),
                              .receive_tag = static_cast<int>(side ^ 1U)});
        }
    }

    [[nodiscard]] const auto& edges() const { return edges_; }
    void pack(std::size_t side) {
        for (std::size_t k = 0; k < out_[side].size(); ++k) out_[side][k] = now_[edge(side, k, 0)];
        charge(out_[side].size());
    }
    void unpack(std::size_t side) {
        if (edges_[side].peer < 0) return;
        for (std::size_t k = 0; k < in_[side].size(); ++k) now_[edge(side, k, 1)] = in_[side][k];
        charge(in_[side].size());
    }
    void interior() { compute(1, rows_ - 1, 1, columns_ - 1); }
    void border() {
        compute(0, 1, 0, columns_);
        compute(std::max(1, rows_ - 1), rows_, 0, columns_);
        compute(1, rows_ - 1, 0, 1);
        compute(1, rows_ - 1, std::max(1, columns_ - 1), columns_);
    }
    /// Ends a step: new values become old ones.
    void advance() { now_.swap(then_); }

    /// The largest change that the last step made.
    [[nodiscard]] double change() const {
        double largest = 0;
        for (int i = 0; i < rows_; ++i)
            for (int j = 0; j < columns_; ++j)
                largest = std::max(largest, std::abs(now_[place(i, j)] - then_[place(i, j)]));
        return largest;
    }
    friend bool operator==(const Block& a, const Block& b) { return a.now_ == b.now_; }

  private:
    static int part(int cells, int ranks, int at) {
        return cells * (at + 1) / ranks - cells * at / ranks;
    }
    [[nodiscard]] std::size_t place(int i, int j) const {
        return static_cast<std::size_t>((i + 1) * (columns_ + 2) + j + 1);
    }
    /// Index of cell `k` of this rank's edge at a side, or of the neighbour's `beyond` it.
    [[nodiscard]] std::size_t edge(std::size_t side, std::size_t k, int beyond) const {
        const int along = static_cast<int>(k);
        const int across = side % 2 == 0 ? -beyond : (side < 2 ? rows_ : columns_) - 1 + beyond;
        return side < 2 ? place(across, along) : place(along, across);
    }
    /// Computes rows from `top` up to `bottom`, columns from `left` up to `right`, without the last
    /// ones.
    void compute(int top, int bottom, int left, int right) {
        if (top >= bottom || left >= right) return;
        for (int i = top; i < bottom; ++i) {
            for (int j = left; j < right; ++j)
                then_[place(i, j)] = 0.25 * (now_[place(i - 1, j)] + now_[place(i + 1, j)] +
                                             now_[place(i, j - 1)] + now_[place(i, j + 1)]);
            lapwing::poll();
        }
        charge(static_cast<std::size_t>(bottom - top) * static_cast<std::size_t>(right - left));
    }
    /// Charges the time of the loop: on a simulated cluster loops take none.
    static void charge(std::size_t cells) {
        if constexpr (lapwing::simulated_time)
            lapwing::charge(static_cast<double>(cells * sizeof(double)) /
                            lapwing::simulated_rate("add"));
    }

    int rows_;
    int columns_;
    std::vector<double> now_;
    std::vector<double> then_;
    std::array<std::vector<double>, 4> out_;
    std::array<std::vector<double>, 4> in_;
    std::vector<lapwing::Edge<double>> edges_;
};

/// Seconds of `steps` steps in which the edges travel while the interior is computed.
double overlapped(lapwing::TwoSided& transport, Block& block, int steps) {
    // Most MPIs move large messages only while they are called.
    const double poll_interval = lapwing::simulated_time ? 0 : 50e-6;
    lapwing::Halo halo(transport, block.edges(), poll_interval);
    return seconds([&] {
        for (int step = 0; step < steps; ++step) {
            halo.exchange([&](std::size_t side) { block.pack(side); },  //
                          [&] { block.interior(); }, [&](std::size_t side) { block.unpack(side); });
            block.border();
            block.advance();
        }
    });
}

/// The same, blocking: communication, then computation.
double blocking(lapwing::TwoSided& transport, Block& block, int steps) {
    lapwing::Halo halo(transport, block.edges());
    return seconds([&] {
        for (int step = 0; step < steps; ++step) {
            for (std::size_t side = 0; side < 4; ++side) block.pack(side);
            halo.exchange([] {});
            for (std::size_t side = 0; side < 4; ++side) block.unpack(side);
            block.interior();
            block.border();
            block.advance();
        }
    });
}

/// Seconds of the computation alone.
double computation(Block& block, int steps) {
    return seconds([&] {
        for (int step = 0; step < steps; ++step) {
            for (std::size_t side = 0; side < 4; ++side) block.pack(side);
            for (std::size_t side = 0; side < 4; ++side) block.unpack(side);
            block.interior();
            block.border();
            block.advance();
        }
    });
}

/// Seconds of the communication alone.
double communication(lapwing::TwoSided& transport, Block& block, int steps) {
    lapwing::Halo halo(transport, block.edges());
    return seconds([&] {
        for (int step = 0; step < steps; ++step) halo.exchange([] {});
    });
}

/// Seconds of what nothing can hide: all but the interior.
double chain(lapwing::TwoSided& transport, Block& block, int steps) {
    lapwing::Halo halo(transport, block.edges());
    return seconds([&] {
        for (int step = 0; step < steps; ++step) {
            halo.exchange([&](std::size_t side) { block.pack(side); }, [] {},
                          [&](std::size_t side) { block.unpack(side); });
            block.border();
            block.advance();
        }
    });
}

int run(int cells, int steps) {
    const Grid grid;
    lapwing::TwoSided transport(grid.ranks);
    Block ours(grid, cells);
    Block theirs(grid, cells);
    Block alone(grid, cells);
    const double overlap = overlapped(transport, ours, steps);
    const double waiting = blocking(transport, theirs, steps);
    const double work = computation(alone, steps);
    const double messages = communication(transport, theirs, steps);
    const double rest = chain(transport, alone, steps);

    double change = ours.change();
    int same = ours == theirs ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &change, 1, MPI_DOUBLE, MPI_MAX, grid.ranks);
    MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, grid.ranks);
    if (transport.rank() == 0) {
        std::printf("%d x %d ranks, %d x %d cells, %d steps\n", grid.dims[0], grid.dims[1], cells,
                    cells, steps);
        std::printf("largest change of the last step %.17g, %s the blocking loop\n", change,
                    same == 1 ? "to the bit as in" : "but NOT as in");
        std::printf("blocking %.6e s, overlapped %.6e s\n", waiting, overlap);
        std::printf("computation %.6e s, communication %.6e s, chain %.6e s\n", work, messages,
                    rest);
    }
    return same == 1 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    return lapwing::program("example-jacobi", argc, argv, [&] {
        return run(argument(argc, argv, 1, "CELLS", 600, 100),
                   argument(argc, argv, 2, "STEPS", 100));
    });
}

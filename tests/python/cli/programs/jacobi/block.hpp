// A rank's part of a square plate with one hot side: what a program would have without Lapwing.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

/// A grid of ranks. Sides are up, down, left, right: side `s` is opposite to `s ^ 1`.
struct Grid {
    MPI_Comm ranks = MPI_COMM_NULL;
    std::array<int, 2> dims{};
    std::array<int, 2> at{};
    std::array<int, 4> peers{};

    Grid() {
        int size = 0;
        std::array<int, 2> periodic{};
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        MPI_Dims_create(size, 2, dims.data());
        MPI_Cart_create(MPI_COMM_WORLD, 2, dims.data(), periodic.data(), 0, &ranks);
        MPI_Cart_get(ranks, 2, dims.data(), periodic.data(), at.data());
        MPI_Cart_shift(ranks, 0, 1, &peers[0], &peers[1]);
        MPI_Cart_shift(ranks, 1, 1, &peers[2], &peers[3]);
    }
};

/// The cells of a rank, with a frame of cells of its neighbours, or of the rim of the plate.
class Block {
  public:
    Block(const Grid& grid, int cells)
        : rows_(part(cells, grid.dims[0], grid.at[0])),
          columns_(part(cells, grid.dims[1], grid.at[1])),
          now_(place(rows_, columns_) + 1, 0.0) {
        if (grid.peers[0] == MPI_PROC_NULL)
            for (int j = 0; j < columns_; ++j) now_[place(-1, j)] = 1;  // the hot side
        then_ = now_;
    }

    /// Cells of the edge at a side.
    [[nodiscard]] std::size_t length(int side) const {
        return static_cast<std::size_t>(side < 2 ? columns_ : rows_);
    }
    /// Copies an edge to `cells`, and the neighbour's from there.
    void pack(int side, double* cells) {
        for (std::size_t k = 0; k < length(side); ++k) cells[k] = now_[edge(side, k, 0)];
        charge(length(side));
    }
    void unpack(int side, const double* cells) {
        for (std::size_t k = 0; k < length(side); ++k) now_[edge(side, k, 1)] = cells[k];
        charge(length(side));
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
    /// The sum of all values.
    [[nodiscard]] double sum() const {
        double total = 0;
        for (int i = 0; i < rows_; ++i)
            for (int j = 0; j < columns_; ++j) total += now_[place(i, j)];
        return total;
    }

  private:
    static int part(int cells, int ranks, int at) {
        return cells * (at + 1) / ranks - cells * at / ranks;
    }
    [[nodiscard]] std::size_t place(int i, int j) const {
        return static_cast<std::size_t>((i + 1) * (columns_ + 2) + j + 1);
    }
    /// Index of cell `k` of this rank's edge at a side, or of the neighbour's `beyond` it.
    [[nodiscard]] std::size_t edge(int side, std::size_t k, int beyond) const {
        const int along = static_cast<int>(k);
        const int across = side % 2 == 0 ? -beyond : (side < 2 ? rows_ : columns_) - 1 + beyond;
        return side < 2 ? place(across, along) : place(along, across);
    }
    void compute(int top, int bottom, int left, int right) {
        if (top >= bottom || left >= right) return;
        for (int i = top; i < bottom; ++i)
            for (int j = left; j < right; ++j)
                then_[place(i, j)] = 0.25 * (now_[place(i - 1, j)] + now_[place(i + 1, j)] +
                                             now_[place(i, j - 1)] + now_[place(i, j + 1)]);
        charge(static_cast<std::size_t>(bottom - top) * static_cast<std::size_t>(right - left));
    }
    /// On a simulated cluster loops take no time: this one would take 8 bytes at 8 GB/s a cell.
    static void charge([[maybe_unused]] std::size_t cells) {
#ifdef SMPI_H
        smpi_execute(1e-9 * static_cast<double>(cells));
#endif
    }

    int rows_;
    int columns_;
    std::vector<double> now_;
    std::vector<double> then_;
};

/// Prints what all ranks' blocks sum to, and the seconds since `start`.
inline void print_result(const Grid& grid, const Block& block, double start) {
    double sum = block.sum();
    double seconds = MPI_Wtime() - start;
    int rank = 0;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, grid.ranks);
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, grid.ranks);
    MPI_Comm_rank(grid.ranks, &rank);
    if (rank == 0) std::printf("sum %.12f\n%.9f s\n", sum, seconds);
}

// LU factorisation, without pivoting, of a matrix in panels of columns, which are distributed over
// the ranks round-robin. With look-ahead: the owner of the next panel updates that one first,
// factors it and broadcasts it. While it travels, all ranks update the rest with the panel before.
//
//   example-lu [SIZE [WIDTH]]     a SIZE x SIZE matrix in panels of WIDTH columns
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <lapwing/compute/rates.hpp>
#include <lapwing/lapwing.hpp>
#include <lapwing/transport/collective/collective.hpp>
#include <vector>

#include "../argument.hpp"
#include "../seconds.hpp"

namespace {

/// Charges the time of so many operations: on a simulated cluster loops take none.
void charge(std::size_t operations) {
    if constexpr (lapwing::simulated_time)
        lapwing::charge(static_cast<double>(operations) / lapwing::simulated_rate("fft"));
}

/// A matrix in panels of columns. A panel is stored column by column.
class Panels {
  public:
    using Panel = std::vector<double>;

    Panels(std::size_t size, std::size_t width) : size_(size), width_(width) {
        for (std::size_t k = 0; k < count(); ++k) {
            Panel panel(columns(k) * size);
            for (std::size_t j = 0; j < columns(k); ++j)
                for (std::size_t i = 0; i < size; ++i) {
                    const auto column = k * width + j;
                    const auto distance = static_cast<double>(i > column ? i - column : column - i);
                    panel[j * size + i] = i == column ? 4 : 1 / (1 + distance * distance);
                }
            panels_.push_back(std::move(panel));
        }
    }
    [[nodiscard]] std::size_t count() const { return (size_ + width_ - 1) / width_; }
    [[nodiscard]] std::size_t columns(std::size_t k) const {
        return std::min(width_, size_ - k * width_);
    }
    Panel& operator[](std::size_t k) { return panels_[k]; }

    /// Factors panel `k`, which all panels before it have updated.
    void factor(std::size_t k) {
        const std::size_t first = k * width_;
        for (std::size_t j = 0; j < columns(k); ++j) {
            double* const column = &panels_[k][j * size_];
            const double pivot = column[first + j];
            for (std::size_t i = first + j + 1; i < size_; ++i) column[i] /= pivot;
            for (std::size_t right = j + 1; right < columns(k); ++right)
                eliminate(column, first + j, &panels_[k][right * size_]);
        }
        charge(columns(k) * columns(k) * (size_ - first));
    }
    /// Updates panel `other` with the `factors` of panel `k`.
    void update(std::size_t k, const Panel& factors, std::size_t other) {
        const std::size_t first = k * width_;
        for (std::size_t column = 0; column < columns(other); ++column) {
            for (std::size_t j = 0; j < columns(k); ++j)
                eliminate(&factors[j * size_], first + j, &panels_[other][column * size_]);
            lapwing::poll();
        }
        charge(2 * columns(k) * columns(other) * (size_ - first));
    }

  private:
    void eliminate(const double* factors, std::size_t pivot, double* column) const {
        const double value = column[pivot];
        for (std::size_t i = pivot + 1; i < size_; ++i) column[i] -= factors[i] * value;
    }

    std::size_t size_;
    std::size_t width_;
    std::vector<Panel> panels_;
};

/// Factors `a`. Each rank updates its own panels.
void factorise(lapwing::Collective& ranks, Panels& a, bool look_ahead) {
    const auto owner = [&](std::size_t k) {
        return static_cast<int>(k % static_cast<std::size_t>(ranks.size()));
    };
    const auto mine = [&](std::size_t k) { return owner(k) == ranks.rank(); };
    // Two panels travel or are in use. A panel is received in the place that its owner has it in.
    const auto launch = [&](std::size_t k) {
        if (mine(k)) a.factor(k);
        return ranks.broadcast(a[k].data(), a[k].size() * sizeof(double), owner(k));
    };
    lapwing::Collective::Request arriving;
    if (a.count() > 0) arriving = launch(0);
    for (std::size_t k = 0; k < a.count(); ++k) {
        arriving.wait();
        const std::size_t next = k + 1;
        if (next < a.count()) {
            if (mine(next)) a.update(k, a[k], next);
            arriving = launch(next);
            if (!look_ahead) arriving.wait();
        }
        const lapwing::Poller poller(
            lapwing::simulated_time ? 0 : 50e-6,
            [](void* request) { static_cast<lapwing::Collective::Request*>(request)->test(); },
            &arriving);
        for (std::size_t other = k + 2; other < a.count(); ++other)
            if (mine(other)) a.update(k, a[k], other);
    }
}

int run(std::size_t size, std::size_t width) {
    lapwing::Collective ranks;
    Panels ours(size, width);
    Panels blocking(size, width);
    Panels serial(size, width);
    const double overlapped = seconds([&] { factorise(ranks, ours, true); });
    const double waiting = seconds([&] { factorise(ranks, blocking, false); });
    for (std::size_t k = 0; k < serial.count(); ++k) {
        serial.factor(k);
        for (std::size_t other = k + 1; other < serial.count(); ++other)
            serial.update(k, serial[k], other);
    }

    // Every rank has received all panels.
    int same = 1;
    double determinant = 0;
    for (std::size_t k = 0; k < serial.count(); ++k) {
        if (ours[k] != serial[k] || blocking[k] != serial[k]) same = 0;
        for (std::size_t j = 0; j < ours.columns(k); ++j)
            determinant += std::log(std::abs(ours[k][j * size + k * width + j]));
    }
    MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (ranks.rank() == 0) {
        std::printf("%d ranks, %zu x %zu, panels of %zu\n", ranks.size(), size, size, width);
        std::printf("logarithm of the determinant %.12f, factors %s in serial\n", determinant,
                    same == 1 ? "to the bit as" : "NOT as");
        std::printf("blocking %.6e s, with look-ahead %.6e s\n", waiting, overlapped);
    }
    return same == 1 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    return lapwing::program("example-lu", argc, argv, [&] {
        return run(static_cast<std::size_t>(argument(argc, argv, 1, "SIZE", 600)),
                   static_cast<std::size_t>(argument(argc, argv, 2, "WIDTH", 32)));
    });
}

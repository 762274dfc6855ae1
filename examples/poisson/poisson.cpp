// Poisson's equation in a periodic box, -(u_xx + u_yy + u_zz) = f: a transform, a division by the
// squared wave numbers, and an inverse transform. The array of real numbers is distributed over a
// grid of ranks, and transformed in place.
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <lapwing/fft/fft.hpp>
#include <numbers>
#include <vector>

namespace {

constexpr lapwing::fft::Size n = {60, 50, 54};

/// The exact solution, from 0 to 1 along each axis, and the f that belongs to it.
double solution(double x, double y, double z) {
    constexpr double turn = 2 * std::numbers::pi;
    return std::cos(turn * x) * std::sin(2 * turn * y) + std::cos(3 * turn * z);
}
double source(double x, double y, double z) {
    constexpr double turn = 2 * std::numbers::pi;
    return turn * turn *
           (5 * std::cos(turn * x) * std::sin(2 * turn * y) + 9 * std::cos(3 * turn * z));
}

/// The square of the wave number of an index: minus the second derivative of that wave, over the
/// wave.
double squared(std::size_t index, std::size_t length) {
    const double k =
        static_cast<double>(index) - (index <= length / 2 ? 0 : static_cast<double>(length));
    return std::pow(2 * std::numbers::pi * k, 2);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    double worst = 0;
    {
        lapwing::fft::RealTransform<double> transform(
            MPI_COMM_WORLD, n, {.decomposition = lapwing::fft::Decomposition::grid});
        std::vector<std::complex<double>> spectrum(transform.capacity());
        auto* const space = reinterpret_cast<double*>(spectrum.data());

        /// Calls `visit(number, x, y, z)` for each number of this rank's part of the array.
        const auto for_each = [&](auto&& visit) {
            const lapwing::fft::Box box = transform.space();
            const auto at = [&](std::size_t axis, std::size_t i) {
                return static_cast<double>(box.first[axis] + i) / static_cast<double>(n[axis]);
            };
            double* row = space;
            for (std::size_t i = 0; i < box.count[0]; ++i)
                for (std::size_t j = 0; j < box.count[1]; ++j, row += transform.padded_row())
                    for (std::size_t k = 0; k < box.count[2]; ++k)
                        visit(row[k], at(0, i), at(1, j), at(2, k));
        };

        for_each([](double& number, double x, double y, double z) { number = source(x, y, z); });
        transform.forward(space, spectrum.data());

        // The spectrum is transposed: its second axis comes first in memory. The transform calls
        // `divide` for each plane across that axis before it reads it, while the planes before it
        // are in flight.
        const lapwing::fft::Box box = transform.spectrum();
        const double elements = static_cast<double>(n[0] * n[1] * n[2]);
        const auto divide = [&](std::size_t, std::size_t plane) {
            auto* element = spectrum.data() + plane * box.count[0] * box.count[2];
            for (std::size_t i = 0; i < box.count[0]; ++i)
                for (std::size_t k = 0; k < box.count[2]; ++k, ++element) {
                    const double sum = squared(box.first[0] + i, n[0]) +
                                       squared(box.first[1] + plane, n[1]) +
                                       squared(box.first[2] + k, n[2]);
                    // The equation does not determine the mean: it is 0 here.
                    *element *= sum == 0 ? 0 : 1 / (sum * elements);
                }
        };
        transform.inverse(spectrum.data(), space, lapwing::fft::no_phases, divide);
        double mine = 0;
        for_each([&](double number, double x, double y, double z) {
            mine = std::max(mine, std::abs(number - solution(x, y, z)));
        });
        MPI_Allreduce(&mine, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        if (rank == 0)
            std::printf("%zux%zux%zu numbers on a grid of %dx%d ranks: off by %.1e at most\n", n[0],
                        n[1], n[2], transform.grid().rows, transform.grid().columns, worst);
    }
    MPI_Finalize();
    return worst < 1e-12 ? 0 : 1;
}

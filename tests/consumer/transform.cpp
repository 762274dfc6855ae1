// A constant, transformed: all of it ends up in one element.
#include <mpi.h>
#include <lapwing/fft/fft.hpp>

#include <complex>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    double sum = 0;
    {
        lapwing::fft::Transform<double> transform(MPI_COMM_WORLD, {6, 10, 15});
        std::vector<std::complex<double>> data(transform.capacity(), 1);
        transform.forward(data.data(), data.data());
        const double mine = transform.output().first == 0 ? data[0].real() : 0;
        MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        std::printf("%g\n", sum);
    }
    MPI_Finalize();
    return sum == 900 ? 0 : 1;
}

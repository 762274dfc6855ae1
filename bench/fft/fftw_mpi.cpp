// FFTW's distributed transform, timed as ours is: complex, out of place, transposed output,
// FFTW_MEASURE. Prints a line for each run: the seconds of the rank that takes longest.
//
//     fftw-mpi N0 N1 N2 RUNS

#include <fftw3-mpi.h>
#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    fftw_mpi_init();
    if (argc != 5) {
        std::fprintf(stderr, "usage: fftw-mpi N0 N1 N2 RUNS\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    const std::ptrdiff_t n0 = std::atol(argv[1]);
    const std::ptrdiff_t n1 = std::atol(argv[2]);
    const std::ptrdiff_t n2 = std::atol(argv[3]);
    const int runs = std::atoi(argv[4]);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    std::ptrdiff_t planes = 0;
    std::ptrdiff_t first = 0;
    std::ptrdiff_t planes_after = 0;
    std::ptrdiff_t first_after = 0;
    const std::ptrdiff_t room = fftw_mpi_local_size_3d_transposed(
        n0, n1, n2, MPI_COMM_WORLD, &planes, &first, &planes_after, &first_after);
    fftw_complex* const in = fftw_alloc_complex(static_cast<std::size_t>(room));
    fftw_complex* const out = fftw_alloc_complex(static_cast<std::size_t>(room));
    const fftw_plan plan =
        fftw_mpi_plan_dft_3d(n0, n1, n2, in, out, MPI_COMM_WORLD, FFTW_FORWARD,
                             FFTW_MEASURE | FFTW_MPI_TRANSPOSED_OUT | FFTW_PRESERVE_INPUT);
    for (std::ptrdiff_t i = 0; i < planes * n1 * n2; ++i) {
        in[i][0] = static_cast<double>(i % 7);
        in[i][1] = static_cast<double>(i % 5);
    }
    fftw_execute(plan);
    for (int run = 0; run < runs; ++run) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double start = MPI_Wtime();
        fftw_execute(plan);
        double seconds = MPI_Wtime() - start;
        MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (rank == 0) std::printf("%.9f\n", seconds);
    }
    fftw_destroy_plan(plan);
    fftw_free(in);
    fftw_free(out);
    MPI_Finalize();
    return 0;
}

"""mpi4py-fft's distributed transform, timed as ours is: complex, out of place, FFTW_MEASURE.

mpirun -n 2 python time_mpi4py_fft.py N0 N1 N2 RUNS

In planes, with the output distributed along another axis than the input, like FFTW's transposed
output, and without scaling. Prints a line for each run: the seconds of the rank that takes longest.
"""

import sys

import numpy
from mpi4py import MPI
from mpi4py_fft import PFFT, newDistArray


def main() -> None:
    shape, runs = list(map(int, sys.argv[1:4])), int(sys.argv[4])
    transform = PFFT(MPI.COMM_WORLD, shape, dtype=numpy.complex128, slab=True)
    before = newDistArray(transform, False)
    after = newDistArray(transform, True)
    places = numpy.arange(before.size).reshape(before.shape)
    before[...] = places % 7 + 1j * (places % 5)
    transform.forward(before, after, normalize=False)
    for _ in range(runs):
        MPI.COMM_WORLD.Barrier()
        start = MPI.Wtime()
        transform.forward(before, after, normalize=False)
        seconds = MPI.COMM_WORLD.allreduce(MPI.Wtime() - start, MPI.MAX)
        if MPI.COMM_WORLD.rank == 0:
            print(f"{seconds:.9f}")


if __name__ == "__main__":
    main()

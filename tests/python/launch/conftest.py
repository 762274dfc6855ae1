"""A small native program, built for each installed MPI and for OpenSHMEM."""

import shutil
import subprocess
from pathlib import Path

import own_memory
import pytest

SOURCE = r"""
#include <mpi.h>
#ifdef OSHMEM
#include <shmem.h>
#define MPI_Finalize shmem_finalize  /* ends both */
#endif
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
#ifdef OSHMEM
  shmem_init();
#endif
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* mode = argc > 1 ? argv[1] : "";
  puts("nobody sees this");
  if (!strcmp(mode, "environment")) {  /* what rank 0 was given, into a file */
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
      FILE* f = fopen(argv[2], "w");
      const char* kernels = getenv("LAPWING_KERNELS");
      fprintf(f, "%d %d %s %s", size, sum, getenv("LAPWING_TARGET"), kernels ? kernels : "-");
      fclose(f);
    }
  } else if (!strcmp(mode, "progress")) {
    if (rank == 0) fputs("@ 0.25 first\nnoise\n@ 1 last\n@ nonsense\n", stderr);
  } else if (!strcmp(mode, "error")) {
    if (rank == 1) {
      fputs("noise\nlapwing-mpi: rank 1: the disk is full\nmore noise\n", stderr);
      usleep(100000);  /* as the native program does: launchers forget what they have not read */
      MPI_Abort(MPI_COMM_WORLD, 3);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (!strcmp(mode, "die")) {
    if (rank == 1) raise(SIGKILL);
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (!strcmp(mode, "hang") || !strcmp(mode, "persist")) {  /* which no request ends */
    if (strcmp(mode, "hang")) signal(SIGTERM, SIG_IGN);
    if (rank == 0) fputs("@ 0.5 hanging\n", stderr);
    for (;;) usleep(1000);
  }
  MPI_Finalize();
  return 0;
}
"""

COMPILERS = {
    "openmpi": ["mpicc.openmpi"],
    "mpich": ["mpicc.mpich"],
    "smpi": ["smpicc", "-fPIC", "-shared"],
    "oshmem": ["oshcc", "-DOSHMEM"],
}


@pytest.fixture(scope="session")
def native_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("native")
    source = folder / "program.c"
    source.write_text(SOURCE)
    for family, compiler in COMPILERS.items():
        if shutil.which(compiler[0]):
            name = "lapwing-shmem" if family == "oshmem" else f"lapwing-mpi.{family}"
            program = folder / name
            subprocess.run([*compiler, "-O1", "-w", str(source), "-o", str(program)], check=True)
    return folder


@pytest.fixture(scope="session")
def memory() -> None:
    """Shared memory for this worker alone, if it is allowed to have its own."""
    if own_memory.possible():
        own_memory.begin()


@pytest.fixture
def native(native_folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder of the programs, set in the environment; working and temporary folder are new."""
    monkeypatch.setenv("LAPWING_NATIVE_DIR", str(native_folder))
    monkeypatch.delenv("SLURM_JOB_ID", raising=False)
    monkeypatch.delenv("LAPWING_DEBUG", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr("tempfile.tempdir", None)
    return native_folder

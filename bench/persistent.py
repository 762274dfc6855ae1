"""What persistent requests save: instructions a message, counted by callgrind.

    build/venv/bin/python bench/persistent.py [--sizes 8 1024] [--mpis openmpi mpich]

Two ranks exchange four edges in each direction, again and again, in several ways: by the library's
halo, by hand with MPI_Isend and MPI_Irecv, and with MPI_Start of requests made once; `-all` with
MPI_Waitall and MPI_Startall. Counted are initiation and completion, on the rank that has less to
do, but not the time between, in which messages arrive. Each count is the difference of two runs of
different length, so that start and end of a run do not count.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent.parent / "build" / "bin"
LAUNCHERS = {
    "openmpi": ["mpirun.openmpi", "--oversubscribe", "--bind-to", "none", "-n", "2"],
    "mpich": ["mpiexec.mpich", "-launcher", "fork", "-n", "2"],
}
ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_plm": "isolated",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
}
WAYS = ["halo", "isend", "persistent", "isend-all", "persistent-all"]
SHORT, LONG = 50, 150
MESSAGES = 8  # of an exchange on each rank: it sends four and receives four


def counted(mpi: str, way: str, exchanges: int, size: int) -> int:
    """Instructions that rank 0 executes."""
    program = PROGRAMS / f"persistent-messages.{mpi}"
    with tempfile.TemporaryDirectory() as folder:
        words = [
            *LAUNCHERS[mpi],
            "valgrind",
            "--tool=callgrind",
            f"--callgrind-out-file={folder}/%p",
            "--collect-atstart=no",
            "--toggle-collect=counted*",
            "--toggle-collect=uncounted*",
            str(program),
            way,
            str(exchanges),
            str(size),
        ]
        done = subprocess.run(
            words, env={**os.environ, **ENVIRONMENT}, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            sys.exit(f"{mpi} {way}: {done.stderr}")
    # Both ranks do the same work; one of them polls more often, because it finds messages later.
    return min(map(int, re.findall(r"Collected\s*:\s*(\d+)", done.stderr)))


def main() -> None:
    """Print a line for each MPI and size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", nargs="+", type=int, default=[8, 1024])
    parser.add_argument("--mpis", nargs="+", choices=list(LAUNCHERS), default=list(LAUNCHERS))
    arguments = parser.parse_args()
    print(f"{'instructions a message':24}" + "".join(f"{way:>16}" for way in WAYS))
    for mpi in arguments.mpis:
        for size in arguments.sizes:
            each = [
                (counted(mpi, way, LONG, size) - counted(mpi, way, SHORT, size))
                / (LONG - SHORT)
                / MESSAGES
                for way in WAYS
            ]
            print(
                f"{f'{mpi}, {size} bytes':24}" + "".join(f"{count:16.1f}" for count in each),
                flush=True,
            )


if __name__ == "__main__":
    main()

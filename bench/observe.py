"""The overhead of observing: programs with and without it, in turn, and the cost of a call.

The overhead is the median of the ratios of neighbouring runs. The cost of a call is measured on a
rank that reduces with itself and waits for nobody, in processor time.

    build/venv/bin/python bench/observe.py --mpi openmpi -- ./ft.A.x
    build/venv/bin/python bench/observe.py --mpi mpich --runs 15 --ranks 2 -- ./mg.A.x
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIBRARY = str(ROOT / "build" / "bin" / "liblapwing-observe.{}.so")
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

CALLS = 1000000
ALONE = f"""
#include <mpi.h>
#include <stdio.h>
#include <time.h>
int main(int argc, char** argv) {{
    double one = 1, sum = 0;
    MPI_Init(&argc, &argv);
    clock_t start = clock();
    for (int i = 0; i < {CALLS}; ++i)
        MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_SELF);
    printf("seconds %.9g\\n", (double)(clock() - start) / CLOCKS_PER_SEC);
    MPI_Finalize();
    return 0;
}}
"""


def run(mpi: str, ranks: int, command: list[str], observed: bool) -> tuple[float, str]:
    """Seconds from start to end, and the output."""
    environment = {**os.environ, **AS_ROOT}
    with tempfile.TemporaryDirectory() as folder:
        if observed:
            environment["LD_PRELOAD"] = LIBRARY.format(mpi)
            environment["LAPWING_OBSERVE"] = folder
        bind = ["--bind-to", "core"] if mpi == "openmpi" else ["-bind-to", "core"]
        words = [f"mpirun.{mpi}", *bind, "-n", str(ranks), *command]
        start = time.monotonic()
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
        return time.monotonic() - start, done.stdout


def said(output: str, otherwise: float) -> float:
    """The time that a program prints (NAS: "Time in seconds = 1.2"), else that of the launch."""
    for line in output.splitlines():
        name, _, value = line.partition("=")
        if name.strip() == "Time in seconds":
            return float(value)
        if line.startswith("seconds "):
            return float(line.split()[1])
    return otherwise


def compare(mpi: str, ranks: int, command: list[str], runs: int) -> tuple[float, float, float]:
    """Median seconds without and with observing, and the median ratio of neighbouring runs."""
    pairs = []
    for turn in range(runs):
        times = {}
        for observed in (False, True) if turn % 2 else (True, False):
            seconds, output = run(mpi, ranks, command, observed)
            times[observed] = said(output, seconds)
        pairs.append((times[False], times[True]))
    plain, watched = zip(*pairs, strict=True)
    ratio = statistics.median(b / a for a, b in pairs)
    return statistics.median(plain), statistics.median(watched), ratio - 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mpi", choices=["openmpi", "mpich"], default="openmpi")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("command", nargs="*", help="a program; without one only the cost of a call")
    arguments = parser.parse_args()
    mpi = arguments.mpi
    with tempfile.TemporaryDirectory() as folder:
        source, program = Path(folder, "alone.c"), str(Path(folder, "alone"))
        source.write_text(ALONE)
        subprocess.run([f"mpicc.{mpi}", "-O2", "-o", program, str(source)], check=True)
        plain, watched, _ = compare(mpi, 1, [program], min(arguments.runs, 5))
    print(f"{mpi}: a call costs {(watched - plain) / CALLS * 1e9:.0f} ns more")
    if arguments.command:
        command = arguments.command
        plain, watched, overhead = compare(mpi, arguments.ranks, command, arguments.runs)
        name = os.path.basename(command[0])
        print(f"{mpi}: {name} {plain:.4g} s, observed {watched:.4g} s: {100 * overhead:+.2f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())

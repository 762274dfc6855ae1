"""What each MPI hides behind computation, with and without a progress thread of its own.

    build/venv/bin/python bench/overlap_of_mpis.py [--on net:1gbit] [--launches 3] [--imb]
        [--mpis build/mpi/mpich-5.0.2 ...]

Asks `lapwing doctor` of each MPI that `scripts/mpi-packages` installs, and prints for each
operation the share of 1 MB that is hidden with nothing called meanwhile: the median of the
launches, and how far they lie apart. The thread's cost is measured apart: the same computation with
and without it, on one processor, while no message is on its way. With --imb the two collectives
stand beside what Intel's benchmark IMB-NBC says of them (it comes with the package impi-rt, and
runs under every MPI with MPICH's binary interface). No rank has real-time priority, at which a
progress thread and its rank starve each other.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from command import BIN

from lapwing.launch.installed_mpi import LAUNCHERS, InstalledMpi, described_by

MPIS = Path(__file__).resolve().parents[1] / "build" / "mpi"
IMB = "bin/IMB-NBC"
SIZE = 1 << 20  # bytes
# Lapwing without the right to give its ranks real-time priority.
LAPWING = ["setpriv", "--bounding-set", "-sys_nice", str(BIN / "lapwing")]
# What turns a progress thread on.
THREAD = {
    "openmpi": {"OMPI_MCA_btl_tcp_progress_thread": "1"},
    "mpich": {"MPIR_CVAR_ASYNC_PROGRESS": "1"},
    "intel": {"I_MPI_ASYNC_PROGRESS": "1"},
}
AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
# Two ranks, one on each processor; each computes alone, and prints how long the slowest one took.
COMPUTATION = """
import ctypes, os, sys, time
rank = int(os.environ.get("OMPI_COMM_WORLD_RANK", os.environ.get("PMI_RANK", 0)))
processors = sorted(os.sched_getaffinity(0))
os.sched_setaffinity(0, {processors[rank % len(processors)]})
mpi = ctypes.CDLL(sys.argv[1], ctypes.RTLD_GLOBAL)
mpi.MPI_Init_thread(None, None, int(sys.argv[2]), ctypes.byref(ctypes.c_int()))
begin = time.perf_counter()
sum(each * each for each in range(10_000_000))
print("took", time.perf_counter() - begin, flush=True)
mpi.MPI_Finalize()
"""


@dataclass(frozen=True)
class Setting:
    """An MPI with or without its progress thread."""

    mpi: InstalledMpi
    folder: Path
    thread: bool

    @property
    def environment(self) -> dict[str, str]:
        """The environment of its launcher."""
        return {**os.environ, **AS_ROOT, **(THREAD[self.mpi.family] if self.thread else {})}

    def __str__(self) -> str:
        return f"{self.mpi}{', thread' if self.thread else ''}"


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--on", default="net:1gbit")
    parser.add_argument("--launches", type=int, default=3)
    parser.add_argument("--mpis", nargs="+", type=Path, default=sorted(MPIS.glob("*-*")))
    parser.add_argument("--imb", action="store_true")
    arguments = parser.parse_args()
    settings = [
        Setting(described_by(launcher_in(folder), "bench"), folder.resolve(), thread)
        for folder in arguments.mpis
        for thread in (False, True)
    ]
    if not settings:
        sys.exit("no MPI is in build/mpi: scripts/mpi-packages installs five")
    shares: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for _ in range(arguments.launches):
        for setting in settings:
            for name, share in hidden(setting, arguments.on):
                shares[str(setting)][name].append(share)
            if arguments.imb and not setting.thread:
                for name, share in hidden_as_imb_says(setting, arguments.on):
                    shares[str(setting)][f"IMB {name}"].append(share)
            if setting.thread:
                shares[str(setting)]["computation"].append(slowdown(setting))
    show(shares)


def launcher_in(folder: Path) -> str:
    """The launcher of an MPI's folder."""
    return next(
        str(folder / "bin" / name) for name in LAUNCHERS if (folder / "bin" / name).exists()
    )


def hidden(setting: Setting, target: str) -> Iterator[tuple[str, float]]:
    """The share of 1 MB that each operation hides."""
    words = ["doctor", "--on", target, "--mpi", str(setting.folder), "--json"]
    done = run([*LAPWING, *words], setting.environment, accepted=(0, 1))
    if done is None:
        return
    for row in json.loads(done)["measured"]["measurements"]:
        if row["size"] == SIZE:
            side = "" if row["computes"] == "initiator" else ", receiving"
            yield row["operation"] + side, row["unattended"]["hidden"]


def hidden_as_imb_says(setting: Setting, target: str) -> Iterator[tuple[str, float]]:
    """The share that IMB-NBC says of the collectives."""
    benchmark = next(iter(sorted(MPIS.glob(f"impi-rt-*/{IMB}"))), None)
    if benchmark is None or "mpich" not in setting.mpi.interfaces:
        return
    words = ["observe", "--on", target, "--mpi", str(setting.folder), "--", str(benchmark)]
    words += ["-msglog", "20:20", "-iter", "50", "Ialltoall", "Ibcast"]
    done = run([*LAPWING, *words], setting.environment)
    for name, found in re.findall(
        rf"# Benchmarking (\w+)\s.*?^\s+{SIZE}\s.*?([0-9.]+)\s*$", done or "", re.S | re.M
    ):
        yield name.lower(), float(found) / 100


def slowdown(setting: Setting) -> float:
    """How many times as long a computation takes beside the thread."""
    times = [computed(Setting(setting.mpi, setting.folder, thread)) for thread in (True, False)]
    return times[0] / times[1]


def computed(setting: Setting) -> float:
    """Seconds of a computation on one processor, the slower of two ranks."""
    libraries = setting.mpi.libraries
    library = libraries[next(key for key in ("openmpi", "mpich", "abi") if key in libraries)]
    words = [setting.mpi.launcher, "-n", "2"]
    if setting.mpi.family == "openmpi":
        words += ["--bind-to", "none", "--mca", "btl", "tcp,self", "--mca", "pml", "ob1"]
    level = "3" if setting.thread else "0"  # MPI_THREAD_MULTIPLE or MPI_THREAD_SINGLE
    said = run([*words, sys.executable, "-c", COMPUTATION, library, level], setting.environment)
    return max(map(float, re.findall(r"took ([0-9.]+)", said or ""))) if said else float("nan")


def run(
    words: list[str], environment: Mapping[str, str], accepted: tuple[int, ...] = (0,)
) -> str | None:
    """What a command prints; None, with a line, if it fails."""
    done = subprocess.run(
        words, env=environment, capture_output=True, text=True, errors="replace", timeout=600
    )
    if done.returncode in accepted:
        return done.stdout
    reason = (done.stderr.strip() or done.stdout.strip() or "nothing said").splitlines()[-1]
    print(f"failed: {' '.join(words)[:120]}: {reason}", file=sys.stderr, flush=True)
    return None


def show(shares: Mapping[str, Mapping[str, list[float]]]) -> None:
    """Print a line for each MPI, a column for each operation."""
    names = list(dict.fromkeys(name for found in shares.values() for name in found))
    width = max(map(len, shares))
    print(" " * width + "".join(f"  {name:>16}" for name in names))
    for setting, found in shares.items():
        cells = []
        for name in names:
            values = found.get(name)
            if not values:
                cells.append("-")
            elif name == "computation":
                cells.append(f"{statistics.median(values):.2f} x")
            else:
                low, high = (100 * each for each in (min(values), max(values)))
                cells.append(f"{100 * statistics.median(values):.0f} ({low:.0f} to {high:.0f})")
        print(f"{setting:{width}}" + "".join(f"  {cell:>16}" for cell in cells))


if __name__ == "__main__":
    main()

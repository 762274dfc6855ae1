"""The real MPI libraries that are here, and what their collectives send over TCP."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lapwing.tuning.decisions.library import Library, installed, parse_library

_ROOT = Path(__file__).parents[3]
_RANK = Path(__file__).with_name("traffic_of_a_rank.py")
# A rank that fails ends the others.
_PYTHON = [sys.executable, "-m", "mpi4py"]
_REPEATS = 4  # as in traffic_of_a_rank.py
_FAMILIES = {"openmpi": "openmpi", "mpich": "mpich", "impi": "intel"}

# Bytes that each rank (row) sent to each other one (column), as parts of the size of the message.
Traffic = list[list[float]]


@dataclass(frozen=True)
class RealLibrary:
    """A library that runs here. environment: that it needs, all its traffic over TCP."""

    library: Library
    launcher: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=dict)

    def traffic(
        self, ranks: int, cases: Sequence[tuple[str, int]], settings: Mapping[str, str]
    ) -> list[Traffic]:
        """What each case, operation and bytes, sends with these environment variables."""
        with tempfile.TemporaryDirectory() as folder:
            words = [f"{self._called(operation)}:{size}" for operation, size in cases]
            done = subprocess.run(
                [*self.launcher, "-n", str(ranks), *_PYTHON, str(_RANK), folder, *words],
                env={**os.environ, **self.environment, **settings},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=90,
            )
            assert done.returncode == 0, done.stdout[-500:] + done.stderr[-1500:]
            noted = [json.loads(Path(folder, f"{rank}.json").read_text()) for rank in range(ranks)]
        return [
            _matrix([rank["cases"][i] for rank in noted], size) for i, (_, size) in enumerate(cases)
        ]

    def _called(self, operation: str) -> str:
        # Intel MPI has a variable for the one, the others' files tell them the other one.
        block = operation == "reduce_scatter" and self.library.family != "intel"
        return "reduce_scatter_block" if block else operation


def _matrix(received: Sequence[Sequence[tuple[str, str, int]]], size: int) -> Traffic:
    # One end may be of several connections, so both are what tells a connection.
    owner = {(own, other): rank for rank, ends in enumerate(received) for own, other, _ in ends}
    made = [[0.0] * len(received) for _ in received]
    for rank, ends in enumerate(received):
        for own, other, total in ends:
            if (other, own) in owner:
                made[owner[other, own]][rank] += total / _REPEATS / size
    return made


def same(one: Traffic, other: Traffic) -> bool:
    """Whether two programs sent the same to other ranks, but for headers."""
    ranks = range(len(one))
    return all(abs(one[i][j] - other[i][j]) < 0.12 for i in ranks for j in ranks if i != j)


def real_libraries() -> list[RealLibrary]:
    """What the machine has installed, and what `scripts/mpi-packages` put beside the build."""
    found = [made for made in (_openmpi_here(), _mpich_here()) if made]
    for folder in sorted((_ROOT / "build" / "mpi").glob("*-*")):
        name, _, version = folder.name.rpartition("-")
        family = _FAMILIES.get(name.partition("-")[0])
        if family is not None and (folder / "bin" / "mpiexec").exists():
            library = parse_library(f"{family}-{version}")
            made = {"openmpi": _openmpi, "mpich": _mpich, "intel": _intel}[family]
            found.append(made(library, str(folder / "bin" / "mpiexec"), folder / "lib"))
    return found


def _openmpi(library: Library, launcher: str, folder: Path) -> RealLibrary:
    options = ["--oversubscribe", "--bind-to", "none", "--mca", "pml", "ob1"]
    options += ["--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo"]
    # Only `tuned` reads the rules.
    options += ["--mca", "coll", "^han,sm,xhc,acoll,adapt"]
    if os.geteuid() == 0:
        options.append("--allow-run-as-root")
    environment = {"MPI4PY_MPIABI": "openmpi", "MPI4PY_LIBMPI": str(folder / "libmpi.so.40")}
    if (folder / ".." / "bin" / "prterun").exists() or (folder / ".." / "bin" / "orted").exists():
        environment["OPAL_PREFIX"] = str(folder.parent)
    return RealLibrary(library, [launcher, *options], environment)


def _mpich(library: Library, launcher: str, folder: Path) -> RealLibrary:
    environment = {
        "MPI4PY_MPIABI": "mpich",
        "MPI4PY_LIBMPI": str(folder / "libmpi.so.12"),
        "LD_LIBRARY_PATH": str(folder),
        # Each rank counts as a node of its own.
        "MPIR_CVAR_NOLOCAL": "1",
        "FI_PROVIDER": "tcp",
        "UCX_TLS": "tcp,self",
    }
    return RealLibrary(library, [launcher], environment)


def _intel(library: Library, launcher: str, folder: Path) -> RealLibrary:
    environment = {
        "MPI4PY_MPIABI": "mpich",
        "MPI4PY_LIBMPI": str(folder / "libmpi.so.12"),
        "LD_LIBRARY_PATH": f"{folder / 'libfabric'}:{folder}",
        "FI_PROVIDER_PATH": str(folder / "libfabric" / "prov"),
        "FI_PROVIDER": "tcp",
        "FI_TCP_IFACE": "lo",
        "I_MPI_ROOT": str(folder.parent),
        "I_MPI_FABRICS": "ofi",
        "I_MPI_OFI_PROVIDER": "tcp",
        "I_MPI_COLL_INTRANODE": "pt2pt",
        "I_MPI_PIN": "0",
    }
    return RealLibrary(library, [launcher], environment)


def _openmpi_here() -> RealLibrary | None:
    here, path = installed("openmpi"), _shared_library("libmpi.so.40")
    launcher = shutil.which("mpirun.openmpi")
    return _openmpi(here, launcher, path.parent) if here and path and launcher else None


def _mpich_here() -> RealLibrary | None:
    here, path = installed("mpich"), _shared_library("libmpich.so.12")
    launcher = shutil.which("mpiexec.mpich")
    if not (here and path and launcher):
        return None
    # mpi4py asks for the name that MPICH itself gives its library.
    folder = Path(tempfile.gettempdir()) / f"lapwing-tests-mpich-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    link = folder / "libmpi.so.12"
    if not link.is_symlink():
        link.symlink_to(path)
    return _mpich(here, launcher, folder)


def _shared_library(name: str) -> Path | None:
    listed = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True)
    for line in listed.stdout.splitlines():
        if line.strip().startswith(name + " "):
            return Path(line.rpartition("=> ")[2].strip())
    return None

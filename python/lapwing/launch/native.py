"""Finding the native programs and libraries, and the one that serves an MPI."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import LapwingError
from .find_mpi import mpis_meant, none_here
from .installed_mpi import INTERFACES, LIBRARIES, InstalledMpi
from .program import mpi_of

# What was built for one MPI, whichever that was, has no suffix: its file tells.
_SUFFIXES = {"abi": ".abi", "mpich": ".mpich", "openmpi": ".openmpi", "any": ""}
_PROGRAM = "lapwing-mpi"
_OBSERVER = "liblapwing-observe{}.so"
_TRANSFORMS = "liblapwing-fft{}.so"
_INTERFACES = "liblapwing-interfaces.so"
SHMEM = "lapwing-shmem"
# A wheel may bring some along.
_IN_PACKAGE = str(Path(__file__).parents[1] / "native")


@dataclass(frozen=True)
class Native:
    """A native program, and the binary interface of MPI that it was built for.

    interface: "abi", "mpich", "openmpi", or "any" if its file does not tell.
    """

    path: str
    interface: str


def native_programs() -> list[Native]:
    """The native programs that are here, one for each binary interface."""
    found: dict[str, Native] = {}
    for folder in _folders():
        for suffix in _SUFFIXES.values():
            if path := _find(_PROGRAM + suffix, [folder], executable=True):
                native = Native(path, suffix.lstrip(".") or _interface_of(path))
                found.setdefault(native.interface, native)
    return list(found.values())


def native_for(mpi: InstalledMpi) -> Native | None:
    """The native program that runs under an MPI; None if there is none."""
    programs = {native.interface: native for native in native_programs()}
    for interface in (*mpi.interfaces, "any"):
        if interface in programs:
            return programs[interface]
    return None


def choose(meant: str | None) -> tuple[InstalledMpi, Native]:
    """The first MPI that `meant` may be, as for `mpis_meant`, for which there is a native program.

    A batch allocation needs no launcher but the batch system's. Raises LapwingError.
    """
    without = []
    for mpi in mpis_meant(meant):
        if native := native_for(mpi):
            return mpi, native
        without.append(mpi)
    programs = native_programs()
    if not programs:
        raise _missing(_PROGRAM, "install the wheel of Lapwing, or build it with an MPI")
    if without:
        raise LapwingError(f"{without[0].launcher}: {why_none_serves(without[0])}")
    if "SLURM_JOB_ID" in os.environ:
        for native in programs:
            mpi = InstalledMpi("any" if native.interface == "abi" else native.interface, "", "srun")
            if meant in (None, mpi.family):
                return mpi, native
    raise none_here(meant)


def why_none_serves(mpi: InstalledMpi) -> str:
    """Why there is no native program for an MPI, and what to do about it."""
    if mpi.family == "any":
        return "which MPI this is, its --version does not tell: build Lapwing with it"
    here = ", ".join(INTERFACES[native.interface] for native in native_programs())
    wanted = " or ".join(INTERFACES[interface] for interface in mpi.interfaces)
    return (
        f"its programs use {wanted}, and here is {here or 'no native program of Lapwing'}: "
        "build Lapwing with this MPI"
    )


def find_simulated() -> str:
    """The path of the module that `smpirun` runs."""
    path = _find(f"{_PROGRAM}.smpi")
    if not path:
        raise _missing(f"{_PROGRAM}.smpi", "install libsimgrid-dev and build Lapwing again")
    return path


def find_shmem() -> str:
    """The path of the native program that needs OpenSHMEM."""
    path = _find(SHMEM, executable=True)
    if not path:
        raise _missing(SHMEM, "install libopenmpi-dev and build Lapwing again")
    return path


def find_interfaces() -> str:
    """The path of the simulated interfaces that the simulated module is linked with."""
    path = _find(_INTERFACES)
    if not path:
        raise _missing(_INTERFACES, "install libsimgrid-dev and build Lapwing again")
    return path


def find_observer(interface: str) -> str:
    """The path of the library that observes programs of a binary interface; "smpi", simulated."""
    return _library(_OBSERVER, interface, "build Lapwing with that MPI")


def find_transforms(interface: str) -> str:
    """The path of the library of Fourier transforms for programs of a binary interface."""
    return _library(_TRANSFORMS, interface, "build Lapwing with that MPI and with FFTW")


def _library(name: str, interface: str, remedy: str) -> str:
    suffixes = [f".{interface}"] if interface == "smpi" else [_SUFFIXES[interface], ""]
    for suffix in suffixes:
        if path := _find(name.format(suffix)):
            return path
    raise _missing(name.format(suffixes[0]), remedy)


def _interface_of(program: str) -> str:
    known = mpi_of(program)
    return known if known in LIBRARIES else "any"


def physical_cores() -> int:
    """Number of cores that this process may use; a core with two hardware threads counts once."""
    cores = set()
    for processor in os.sched_getaffinity(0):
        folder = Path(f"/sys/devices/system/cpu/cpu{processor}/topology")
        try:
            package = (folder / "physical_package_id").read_text()
            cores.add((package, (folder / "core_id").read_text()))
        except OSError:
            cores.add(("", str(processor)))
    return len(cores)


def _folders() -> list[str]:
    chosen = os.environ.get("LAPWING_NATIVE_DIR")
    beside = str(Path(sys.argv[0]).resolve().parent) if sys.argv and sys.argv[0] else None
    path = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return [folder for folder in (chosen, beside, _IN_PACKAGE, *path) if folder]


def _find(
    name: str, folders: Sequence[str] | None = None, *, executable: bool = False
) -> str | None:
    needed = os.R_OK | (os.X_OK if executable else 0)
    for folder in folders or _folders():
        candidate = os.path.abspath(os.path.join(folder, name))
        if os.path.isfile(candidate) and os.access(candidate, needed):
            return candidate
    return None


def _missing(name: str, remedy: str) -> LapwingError:
    return LapwingError(
        f"{name} is neither in $LAPWING_NATIVE_DIR, nor in the folder of this command, nor "
        f"in the package, nor on the PATH: {remedy}"
    )

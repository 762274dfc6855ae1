"""Finding the native programs and libraries, and the launcher of the MPI they were built with."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from ..errors import LapwingError

# The launchers of each MPI, the most specific names first.
_LAUNCHERS = {
    "openmpi": ["mpirun.openmpi", "mpirun"],
    "mpich": ["mpiexec.mpich", "mpiexec"],
    "any": ["mpiexec", "mpirun"],
    "oshmem": ["oshrun"],
}
_PROGRAMS = {"openmpi": "lapwing-mpi.openmpi", "mpich": "lapwing-mpi.mpich", "any": "lapwing-mpi"}
_SIMULATED = "lapwing-mpi.smpi"
_OBSERVERS = {
    "openmpi": "liblapwing-observe.openmpi.so",
    "mpich": "liblapwing-observe.mpich.so",
    "any": "liblapwing-observe.so",
    "smpi": "liblapwing-observe.smpi.so",
}
_TRANSFORMS = {
    "openmpi": "liblapwing-fft.openmpi.so",
    "mpich": "liblapwing-fft.mpich.so",
    "any": "liblapwing-fft.so",
}
_INTERFACES = "liblapwing-interfaces.so"
SHMEM = "lapwing-shmem"


@dataclass(frozen=True)
class Native:
    """A native program and the MPI that it was built with: "openmpi", "mpich", or "any" if unknown.

    "oshmem" is Open MPI's OpenSHMEM.
    """

    path: str
    mpi: str


def find_native(mpi: str | None) -> Native:
    """The native program of `mpi` ("openmpi", "mpich"), or of whichever is found first."""
    if mpi is not None and mpi not in ("openmpi", "mpich"):
        raise LapwingError(f'unknown MPI "{mpi}": --mpi is openmpi or mpich')
    for family in [mpi] if mpi else list(_PROGRAMS):
        path = _find(_PROGRAMS[family], executable=True)
        if path:
            return Native(path, family)
    names = [_PROGRAMS[mpi]] if mpi else list(_PROGRAMS.values())
    raise _missing(" or ".join(names), f"build Lapwing with {mpi or 'an MPI'}")


def find_simulated() -> str:
    """The path of the module that `smpirun` runs."""
    path = _find(_SIMULATED, executable=False)
    if not path:
        raise _missing(_SIMULATED, "install libsimgrid-dev and build Lapwing again")
    return path


def find_shmem() -> Native:
    """The native program that needs OpenSHMEM."""
    path = _find(SHMEM, executable=True)
    if not path:
        raise _missing(SHMEM, "install libopenmpi-dev and build Lapwing again")
    return Native(path, "oshmem")


def find_interfaces() -> str:
    """The path of the simulated interfaces that the simulated module is linked with."""
    path = _find(_INTERFACES, executable=False)
    if not path:
        raise _missing(_INTERFACES, "install libsimgrid-dev and build Lapwing again")
    return path


def find_observer(mpi: str) -> str:
    """The path of the library that observes programs of `mpi`; "smpi" for simulated ones."""
    path = _find(_OBSERVERS[mpi], executable=False)
    if not path:
        raise _missing(_OBSERVERS[mpi], "build Lapwing with that MPI")
    return path


def find_transforms(mpi: str) -> str:
    """The path of the library of Fourier transforms for programs of `mpi`."""
    path = _find(_TRANSFORMS[mpi], executable=False)
    if not path:
        raise _missing(_TRANSFORMS[mpi], "build Lapwing with that MPI and with FFTW")
    return path


def find_launcher(mpi: str) -> str:
    """The name of the launcher on the PATH for programs of `mpi`."""
    for name in _LAUNCHERS[mpi]:
        if shutil.which(name):
            return name
    packages = {"openmpi": "openmpi-bin", "oshmem": "openmpi-bin", "mpich": "mpich"}
    package = packages.get(mpi, "an MPI")
    raise LapwingError(f"{' or '.join(_LAUNCHERS[mpi])} is not on the PATH: install {package}")


def family(launcher: str) -> str:
    """Which MPI `launcher` belongs to: "openmpi", "mpich" or "any". Runs it to ask."""
    try:
        done = subprocess.run([launcher, "--version"], capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return "any"
    if "Open MPI" in done.stdout or "OpenRTE" in done.stdout:
        return "openmpi"
    return "mpich" if "HYDRA" in done.stdout else "any"


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
    return [folder for folder in (chosen, beside, *path) if folder]


def _find(name: str, *, executable: bool) -> str | None:
    needed = os.R_OK | (os.X_OK if executable else 0)
    for folder in _folders():
        candidate = os.path.abspath(os.path.join(folder, name))
        if os.path.isfile(candidate) and os.access(candidate, needed):
            return candidate
    return None


def _missing(name: str, remedy: str) -> LapwingError:
    return LapwingError(
        f"{name} is neither in $LAPWING_NATIVE_DIR, nor beside this command, nor on the PATH: "
        f"{remedy}"
    )

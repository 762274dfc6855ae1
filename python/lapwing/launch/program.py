"""What can be told of a program from its file: which MPI it was linked with, and how."""

import os
import shutil
from pathlib import Path

_ELF = b"\x7fELF"
_LARGEST = 1 << 28  # bytes to look through

# Programs in Fortran may need no other library of their MPI than its routines for that language.
_LIBRARIES = {
    "mpich": [b"libmpich.so.", b"libmpi.so.12\0", b"libmpichfort.so.", b"libmpifort.so."],
    "openmpi": [b"libmpi.so.", b"libmpi_mpifh.so.", b"libmpi_usempi"],
}


def find_program(words: list[str]) -> str | None:
    """The program among the words of a launcher's command line: the first that is an executable
    file, a script included, with MPI in it, else the last that is one and follows the launcher."""
    found = None
    for word in words[1:]:
        path = shutil.which(word)
        if path is None or os.path.isdir(path):
            continue
        if mpi_of(path) in ("openmpi", "mpich", "static"):
            return path
        found = found or path
    return found


def mpi_of(path: str) -> str | None:
    """The MPI a program is linked with: "openmpi", "mpich", "static" if it is in the program,
    "none" where none is to be seen; None for what is no program but, say, a script."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(4)
            if content != _ELF:
                return None
            content += file.read(_LARGEST)
    except OSError:
        return None
    # Names of what it needs stand in the file as they are.
    for mpi, libraries in _LIBRARIES.items():
        if any(name in content for name in libraries):
            return mpi
    return "static" if b"MPI_Init" in content and b"MPI_Finalize" in content else "none"

"""MPIs that are not there: a launcher that says which it is, and empty files for libraries."""

from pathlib import Path

SAYS = {
    "openmpi": "mpirun (Open MPI) 5.0.11",
    "openmpi4": "mpirun.openmpi (OpenRTE) 4.1.4",
    "mpich": "HYDRA build details:\n    Version:                                 5.0.2",
    "intel": "Intel(R) MPI Library for Linux* OS, Version 2021.18.1 Build 20260626 (id: b44796a)",
    "unknown": "a launcher",
}


def make_mpi(prefix: Path, says: str, *libraries: str, launcher: str = "mpiexec") -> Path:
    """An MPI in the folder `prefix`, with these libraries; returns its launcher.

    says: a key of SAYS.  libraries: their paths in `prefix`.
    """
    path = prefix / "bin" / launcher
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{SAYS[says]}'\n")
    path.chmod(0o755)
    for library in libraries:
        (prefix / library).parent.mkdir(parents=True, exist_ok=True)
        (prefix / library).write_bytes(b"\x7fELF")
    return path


def make_program(folder: Path, name: str, needed: str) -> Path:
    """A file that looks like a program which needs a library."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_bytes(b"\x7fELF\2\1\1\0" + needed.encode() + b"\0libc.so.6\0")
    path.chmod(0o755)
    return path

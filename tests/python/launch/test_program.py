"""Which MPI a program is linked with, read from its file."""

from pathlib import Path

import pytest

from lapwing.launch.program import mpi_of


@pytest.mark.parametrize(
    ("needed", "mpi"),
    [
        (b"libmpi.so.40", "openmpi"),
        (b"libmpi_mpifh.so.40", "openmpi"),  # Fortran, and no other library of Open MPI
        (b"libmpi_usempif08.so.40", "openmpi"),
        (b"libmpich.so.12", "mpich"),
        (b"libmpichfort.so.12", "mpich"),
        (b"libmpifort.so.12", "mpich"),
        (b"libmpi_abi.so.1", "abi"),
        (b"libmpifort_abi.so.1", "abi"),
        (b"libmpi.so.12", "mpich"),  # by the name of its common ABI
        (b"MPI_Init\0MPI_Finalize", "static"),
        (b"libm.so.6", "none"),
    ],
)
def test_told_by_what_it_needs(tmp_path: Path, needed: bytes, mpi: str) -> None:
    program = tmp_path / "program"
    program.write_bytes(b"\x7fELF\2\1\1\0" + needed + b"\0libc.so.6\0")
    assert mpi_of(str(program)) == mpi


def test_no_program(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\necho libmpi.so.40\n")
    assert mpi_of(str(script)) is None
    assert mpi_of(str(tmp_path / "missing")) is None

"""The native program that serves an MPI."""

import os
import sys
from pathlib import Path

import pytest
from mpis import make_mpi, make_program

from lapwing.errors import LapwingError
from lapwing.launch.native import choose, native_programs


@pytest.fixture(autouse=True)
def folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An Open MPI and then an MPICH on the PATH, and a folder for native programs."""
    make_mpi(tmp_path / "a", "openmpi", "lib/libmpi.so.40")
    make_mpi(tmp_path / "b", "mpich", "lib/libmpi.so.12", "lib/libmpi_abi.so.1")
    monkeypatch.setenv("PATH", f"{tmp_path / 'a' / 'bin'}{os.pathsep}{tmp_path / 'b' / 'bin'}")
    monkeypatch.setenv("LAPWING_NATIVE_DIR", str(tmp_path / "native"))
    monkeypatch.setattr(sys, "argv", [""])
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    monkeypatch.delenv("SLURM_JOB_ID", raising=False)
    monkeypatch.setattr("lapwing.launch.native._IN_PACKAGE", str(tmp_path / "package"))


def test_the_standard_interface_first(tmp_path: Path) -> None:
    make_program(tmp_path / "native", "lapwing-mpi.mpich", "libmpi.so.12")
    assert choose("mpich")[1].interface == "mpich"
    make_program(tmp_path / "native", "lapwing-mpi.abi", "libmpi_abi.so.1")
    assert choose("mpich")[1].interface == "abi"


def test_the_first_mpi_that_has_a_program(tmp_path: Path) -> None:
    make_program(tmp_path / "package", "lapwing-mpi.mpich", "libmpi.so.12")
    assert choose(None)[0].family == "mpich"
    make_program(tmp_path / "package", "lapwing-mpi.openmpi", "libmpi.so.40")
    assert choose(None)[0].family == "openmpi"


def test_what_is_chosen_goes_before_what_came_along(tmp_path: Path) -> None:
    make_program(tmp_path / "package", "lapwing-mpi.openmpi", "libmpi.so.40")
    chosen = make_program(tmp_path / "native", "lapwing-mpi.openmpi", "libmpi.so.40")
    assert [native.path for native in native_programs()] == [str(chosen)]


@pytest.mark.parametrize(
    ("needed", "interface"),
    [("libmpi.so.40", "openmpi"), ("libmpich.so.12", "mpich"), ("libmpi_other.so.1", "any")],
)
def test_a_program_of_the_one_mpi_that_was_there(
    tmp_path: Path, needed: str, interface: str
) -> None:
    make_program(tmp_path / "native", "lapwing-mpi", needed)
    assert [native.interface for native in native_programs()] == [interface]


def test_none_serves_it(tmp_path: Path) -> None:
    make_program(tmp_path / "native", "lapwing-mpi.mpich", "libmpi.so.12")
    with pytest.raises(LapwingError, match=r"use Open MPI's ABI, and here is MPICH's ABI"):
        choose("openmpi")


def test_no_program() -> None:
    with pytest.raises(LapwingError, match="lapwing-mpi is neither in"):
        choose(None)


def test_no_mpi(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    make_program(tmp_path / "native", "lapwing-mpi.mpich", "libmpi.so.12")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(LapwingError, match="pip install mpich"):
        choose(None)
    monkeypatch.setenv("SLURM_JOB_ID", "1")
    mpi, native = choose(None)
    assert (mpi.family, mpi.launcher, native.interface) == ("mpich", "srun", "mpich")

"""The MPIs that are installed, and the one that is meant."""

import os
import sys
from pathlib import Path

import pytest
from mpis import make_mpi

from lapwing.errors import LapwingError
from lapwing.launch.find_mpi import first_meant, installed_mpis, mpis_meant


@pytest.fixture
def nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine without MPI, but for what a test makes."""
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    for name in list(os.environ):
        if "MPI" in name:
            monkeypatch.delenv(name)
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    monkeypatch.chdir(tmp_path)


def path_of(monkeypatch: pytest.MonkeyPatch, *prefixes: Path) -> None:
    # The launchers are scripts.
    folders = [str(prefix / "bin") for prefix in prefixes]
    monkeypatch.setenv("PATH", os.pathsep.join(folders))


pytestmark = pytest.mark.usefixtures("nothing")


@pytest.mark.parametrize(
    ("says", "family", "version", "libraries", "interfaces"),
    [
        ("openmpi", "openmpi", "5.0.11", ["lib/libmpi.so.40"], ["openmpi"]),
        ("openmpi4", "openmpi", "4.1.4", ["lib64/libmpi.so.40"], ["openmpi"]),
        ("mpich", "mpich", "5.0.2", ["lib/libmpi.so.12"], ["mpich"]),
        ("mpich", "mpich", "5.0.2", ["lib/libmpi.so.12", "lib/libmpi_abi.so.1"], ["abi", "mpich"]),
        ("mpich", "mpich", "5.0.2", ["lib/libmpich.so.12", "lib/libmpi.so.40"], ["mpich"]),
        ("intel", "intel", "2021.18.1", ["lib/release/libmpi.so.12"], ["mpich"]),
        ("intel", "intel", "2021.18.1", [], ["mpich"]),
        ("unknown", "any", "", ["lib/libmpi.so.12"], ["any"]),
    ],
)
def test_what_a_launcher_tells(
    tmp_path: Path,
    says: str,
    family: str,
    version: str,
    libraries: list[str],
    interfaces: list[str],
) -> None:
    launcher = make_mpi(tmp_path / "mpi", says, *libraries)
    (mpi,) = mpis_meant(str(tmp_path / "mpi"))
    assert (mpi.family, mpi.version, mpi.launcher) == (family, version, str(launcher))
    assert mpi.interfaces == interfaces


def test_each_once_in_the_order_of_the_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    module, system = tmp_path / "module", tmp_path / "system"
    make_mpi(module, "openmpi", "lib/libmpi.so.40")
    make_mpi(module, "openmpi", launcher="mpirun")
    make_mpi(system, "openmpi4", "lib/libmpi.so.40", launcher="mpirun.openmpi")
    make_mpi(system, "mpich", "lib/libmpich.so.12", launcher="mpiexec.mpich")
    (system / "bin" / "mpirun").symlink_to("mpirun.openmpi")
    path_of(monkeypatch, module, system, module)
    found = [str(mpi) for mpi in installed_mpis()]
    assert found == ["Open MPI 5.0.11", "Open MPI 4.1.4", "MPICH 5.0.2"]


def test_of_this_python_first_and_of_variables_last(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    make_mpi(tmp_path / "venv", "mpich", "lib/libmpi.so.12")
    make_mpi(tmp_path / "usr", "openmpi", "lib/libmpi.so.40")
    make_mpi(tmp_path / "oneapi", "intel", "lib/libmpi.so.12")
    path_of(monkeypatch, tmp_path / "usr")
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "venv"))
    monkeypatch.setenv("I_MPI_ROOT", str(tmp_path / "oneapi"))
    monkeypatch.setenv("EBROOTOPENMPI", str(tmp_path / "usr"))
    found = [(mpi.family, mpi.found) for mpi in installed_mpis()]
    assert found == [("mpich", "this Python"), ("openmpi", "PATH"), ("intel", "I_MPI_ROOT")]


def test_by_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    make_mpi(tmp_path / "a", "openmpi", "lib/libmpi.so.40")
    make_mpi(tmp_path / "b", "mpich", "lib/libmpi.so.12")
    path_of(monkeypatch, tmp_path / "a", tmp_path / "b")
    assert [mpi.family for mpi in mpis_meant("mpich")] == ["mpich"]
    with pytest.raises(LapwingError, match=r"no Intel MPI .* but Open MPI 5.0.11, MPICH 5.0.2"):
        first_meant("intel")


def test_by_path(tmp_path: Path) -> None:
    prefix = tmp_path / "mpi"
    launcher = make_mpi(prefix, "mpich", "lib/libmpi.so.12", "lib/libmpi_abi.so.1")
    for path in (".", "bin", "bin/mpiexec", "lib/libmpi.so.12", "lib/libmpi_abi.so.1"):
        assert [mpi.launcher for mpi in mpis_meant(str(prefix / path))] == [str(launcher)]


def test_a_library_tells_which_of_two_in_a_folder(tmp_path: Path) -> None:
    make_mpi(tmp_path, "openmpi", "lib/libmpi.so.40", launcher="mpirun.openmpi")
    make_mpi(tmp_path, "mpich", "lib/libmpich.so.12", launcher="mpiexec.mpich")
    assert [mpi.family for mpi in mpis_meant("./lib/libmpich.so.12")] == ["mpich"]


@pytest.mark.parametrize(
    ("meant", "said"),
    [
        ("opnmpi", 'unknown MPI "opnmpi" .did you mean "openmpi"'),
        ("", "unknown MPI"),
        ("./missing", "does not exist"),
        (".", "no launcher"),
    ],
)
def test_nothing_meant(meant: str, said: str) -> None:
    with pytest.raises(LapwingError, match=said):
        mpis_meant(meant)


def test_for_a_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    make_mpi(tmp_path / "a", "openmpi", "lib/libmpi.so.40")
    make_mpi(tmp_path / "b", "mpich", "lib/libmpi.so.12")
    path_of(monkeypatch, tmp_path / "a", tmp_path / "b")
    assert first_meant(None, "mpich").family == "mpich"
    with pytest.raises(LapwingError, match="no MPI that starts programs of the standard ABI"):
        first_meant(None, "abi")
    with pytest.raises(LapwingError, match=r"--mpi openmpi: .* MPICH's ABI"):
        first_meant("openmpi", "mpich")

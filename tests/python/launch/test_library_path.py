"""Which library of MPI ranks load."""

from pathlib import Path

import pytest
from mpis import make_program

from lapwing.launch.installed_mpi import InstalledMpi
from lapwing.launch.library_path import loading


@pytest.fixture(autouse=True)
def nothing_inherited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LD_LIBRARY_PATH", raising=False)


def mpi(library: Path | str) -> InstalledMpi:
    return InstalledMpi("mpich", "5.0.2", "mpiexec", {"mpich": str(library)})


def words(tmp_path: Path, library: Path | str, needed: str = "libmpi.so.12") -> list[str]:
    program = make_program(tmp_path, "program", needed)
    links = tmp_path / "links"
    links.mkdir()
    return loading(mpi(library), "mpich", str(program), str(links))


def library_in(folder: Path, name: str, content: bytes = b"") -> Path:
    folder.mkdir()
    (folder / name).write_bytes(b"\x7fELF" + content)
    return folder / name


def test_from_its_folder(tmp_path: Path) -> None:
    library = library_in(tmp_path / "lib", "libmpi.so.12")
    assert words(tmp_path, library) == ["env", f"LD_LIBRARY_PATH={tmp_path}/lib"]


def test_with_what_it_brings_along(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/mine")
    content = b"\0$ORIGIN:$ORIGIN/mpich\0"
    library = library_in(tmp_path / "lib", "libmpi.so.12", content)
    path = f"{tmp_path}/lib:{tmp_path}/lib/mpich:/mine"
    assert words(tmp_path, library) == ["env", f"LD_LIBRARY_PATH={path}"]


def test_by_another_name(tmp_path: Path) -> None:
    library = library_in(tmp_path / "lib", "libmpi.so.12")
    path = f"{tmp_path}/links:{tmp_path}/lib"
    assert words(tmp_path, library, "libmpich.so.12") == ["env", f"LD_LIBRARY_PATH={path}"]
    assert (tmp_path / "links" / "libmpich.so.12").resolve() == library


def test_the_systems_is_found_by_itself(tmp_path: Path) -> None:
    assert words(tmp_path, "/usr/lib/libmpi.so.12") == []


def test_the_systems_before_one_that_hides_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = library_in(tmp_path / "lib", "libmpi.so.12")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(other.parent))
    path = f"/usr/lib:{other.parent}"
    assert words(tmp_path, "/usr/lib/libmpi.so.12") == ["env", f"LD_LIBRARY_PATH={path}"]


def test_where_only_the_loader_knows(tmp_path: Path) -> None:
    assert loading(InstalledMpi("mpich", "5.0.2", "mpiexec"), "mpich", "program", "") == []

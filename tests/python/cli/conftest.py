"""Running the command in a directory of its own, and profiles to plan with."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from typed import Lapwing, run


@pytest.fixture
def lapwing(tmp_path: Path) -> Lapwing:
    """Run a command line in `tmp_path`; keywords go into its environment."""
    return lambda *words, **changed: run(tmp_path, *words, **changed)


@pytest.fixture(scope="session")
def profile_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The profile of a simulated cluster (a name or a path), measured once."""
    folder = tmp_path_factory.mktemp("profiles")
    known: dict[str, Path] = {}

    def measured(cluster: str) -> Path:
        if shutil.which("smpirun") is None:
            pytest.skip("no smpirun")
        if cluster not in known:
            path = folder / f"{len(known)}.json"
            ended = run(
                folder, "calibrate", "--on", f"sim:{cluster}", "--only", "tables", "-o", str(path)
            )
            assert (ended.status, ended.err) == (0, "")
            known[cluster] = path
        return known[cluster]

    return measured


@pytest.fixture
def machine(profile_of: Callable[[str], Path], tmp_path: Path) -> str:
    """The name of a profile of ib4x in the working directory."""
    shutil.copy(profile_of("ib4x"), tmp_path / "machine.json")
    return "machine.json"

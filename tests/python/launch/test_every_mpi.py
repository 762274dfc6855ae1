"""The native programs under each MPI of pip that `scripts/mpi-packages` put beside the build.

It takes minutes, so that `make test` has none of them: `scripts/nightly` installs them first.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lapwing.launch.find_mpi import first_meant
from lapwing.launch.installed_mpi import InstalledMpi
from lapwing.launch.library_path import loading
from lapwing.launch.mpi import mpi_job
from lapwing.launch.native import native_for, physical_cores

ROOT = Path(__file__).parents[3]
# The programs of the tree, and those of the standard interface, which no package of Debian has.
BUILT = (ROOT / "build" / "bin", ROOT / "build" / "nightly" / "bin")
PREFIXES = sorted(
    folder for folder in (ROOT / "build" / "mpi").glob("*-*") if (folder / "bin/mpiexec").exists()
)
LAPWING = [sys.executable, "-m", "lapwing"]
PROFILE = str(ROOT / "tests" / "data" / "profiles" / "ib4x.json")
STREAM = ["--volume", "64KB", "--compute", "1ms"]

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(not PREFIXES, reason="scripts/mpi-packages installs them"),
]


def programs(name: str) -> Iterator[Any]:
    """Each MPI with a binary interface that it has, and the program `name` built for that."""
    for prefix in PREFIXES:
        mpi = first_meant(str(prefix))
        for interface in mpi.interfaces:
            for folder in BUILT:
                program = folder / f"{name}.{interface}"
                if program.exists():
                    yield pytest.param(mpi, interface, program, id=f"{prefix.name}-{interface}")


@pytest.mark.parametrize("ranks", [2, 3])
@pytest.mark.parametrize(("mpi", "interface", "program"), list(programs("test-property")))
def test_properties(
    mpi: InstalledMpi, interface: str, program: Path, ranks: int, tmp_path: Path
) -> None:
    job = mpi_job(
        [*loading(mpi, interface, str(program), str(tmp_path)), str(program)],
        ranks,
        family=mpi.family,
        launcher=mpi.launcher,
        options=[],
        cores=physical_cores(),
        as_root=os.geteuid() == 0,
    )
    done = subprocess.run(
        job.command,
        env={**os.environ, **job.environment, "LAPWING_TARGET": f"mpi:{ranks}"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout[-500:] + done.stderr[-1500:]


@pytest.mark.parametrize("prefix", PREFIXES, ids=lambda prefix: prefix.name)
def test_commands(prefix: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAPWING_NATIVE_DIR", str(BUILT[0]))
    monkeypatch.setenv("PATH", f"{prefix / 'bin'}:{os.environ['PATH']}")
    mpi = first_meant(str(prefix))
    native = native_for(mpi)
    if native is None:
        pytest.skip("no native program was built for its interface")
    verify = ["--verify", "--on", "mpi:2", "--ranks", "2", "--op", "bcast", "--size", "8:64KB"]
    where = ["--on", "mpi:2", "--mpi", str(prefix)]
    program = ["--", str(BUILT[0] / f"example-stream.{native.interface}"), PROFILE]
    for words, statuses in (
        (["calibrate", *where, "--quick", "--only", "tables", "-o", "machine.json"], [0]),
        (["run", "stream", *where, "machine.json", *STREAM], [0, 1]),
        (["sweep", *where, "machine.json", *STREAM], [0, 1]),
        (["observe", "machine.json", *where, *program], [0]),
        (["record", "-o", "run.lwt", *where, *program], [0]),
        (["validate", *where, "machine.json", "bcast", "alltoall", "--size", "8,64KB"], [0]),
        (["tune", "machine.json", "--mpi", mpi.family, *verify, "-o", "rules"], [0]),
        (["doctor", *where], [0, 1]),
    ):
        done = subprocess.run(
            [*LAPWING, *words], cwd=tmp_path, capture_output=True, text=True, timeout=300
        )
        assert done.returncode in statuses, (words, done.stdout[-500:], done.stderr[-1500:])
        assert "Traceback" not in done.stderr

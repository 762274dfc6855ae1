"""Ctrl-C, SIGTERM and SIGKILL in a sweep: nothing is left behind, no process and no file."""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest
from typed import COMMAND, environment

pytestmark = pytest.mark.alone

PLACES = [
    (["sim:ib4x"], "smpirun"),
    (["mpi:2", "--mpi", "openmpi"], "mpirun.openmpi"),
    (["mpi:2", "--mpi", "mpich"], "mpiexec.mpich"),
]


def processes_of(folder: Path) -> list[str]:
    """Living processes that mention `folder` in their command line or their environment."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            entry = Path("/proc", name)
            words = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
            if str(folder).encode() in words:
                found.append(f"{name} {(entry / 'cmdline').read_bytes()!r}")
        except OSError:  # it ended meanwhile
            continue
    return found


def eventually_nothing(folder: Path, patience: float = 20) -> bool:
    """Whether all processes and temporary files go; `patience` in seconds."""
    deadline = time.monotonic() + patience
    while processes_of(folder) or os.listdir(folder / "tmp"):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place[1])
@pytest.mark.parametrize(
    ("number", "status", "says"),
    [
        (signal.SIGINT, 130, "lapwing: interrupted\n"),
        (signal.SIGTERM, 143, ""),
        (signal.SIGKILL, -signal.SIGKILL, ""),
    ],
)
def test_interrupted(
    place: tuple[list[str], str],
    number: signal.Signals,
    status: int,
    says: str,
    machine: str,
    tmp_path: Path,
) -> None:
    where, launcher = place
    if shutil.which(launcher) is None:
        pytest.skip(f"no {launcher}")
    (tmp_path / "tmp").mkdir()
    memory = set(os.listdir("/dev/shm"))
    words = ["sweep", machine, "--volume", "64MB", "--ratio", "1", "-o", "result.json"]
    process = subprocess.Popen(
        [str(COMMAND), *words, "--json", "--on", *where],
        cwd=tmp_path,
        env=environment(TMPDIR=str(tmp_path / "tmp")),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 30
    # Ranks have the sweep's own directory in their arguments.
    while not any("'--profile'" in p or "--profile" in p for p in processes_of(tmp_path)):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
    time.sleep(0.3)
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (status, "", says)
    assert eventually_nothing(tmp_path), processes_of(tmp_path)
    assert set(os.listdir("/dev/shm")) <= memory
    assert sorted(os.listdir(tmp_path)) == ["machine.json", "tmp"]

"""Temporary directories: who removes them if those that made them were killed."""

import os
import select
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import lapwing.launch
from lapwing.launch.temporary import temporary

PACKAGE = Path(lapwing.launch.__file__).parents[2]
# A process that has a directory, and says which, until it is killed.
HOLD = """
import subprocess, sys, time
from pathlib import Path
from lapwing.launch.scratch import scratch
from lapwing.launch.temporary import temporary
how, folder = sys.argv[1:]
if how == "guarded":
    with scratch(folder) as path:
        print(path, flush=True)
        time.sleep(60)
with temporary(folder) as made:
    if how == "inherited":
        subprocess.Popen([sys.executable, "-c", "input()"], pass_fds=[made.lock])
    print(made.path, flush=True)
    time.sleep(60)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "folder").mkdir()
    return tmp_path / "folder"


def holder(how: str, folder: Path) -> tuple["subprocess.Popen[bytes]", Path]:
    """A process with a directory in `folder`, and the directory."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, how, str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
    )
    assert process.stdout is not None
    return process, Path(process.stdout.readline().decode().rstrip())


def guardian_of(process: int) -> int:
    """The only child of a process."""
    [child] = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return int(child)


def test_what_dead_processes_left_is_removed(folder: Path) -> None:
    process, left = holder("guarded", folder)
    (left / "file").write_text("large")
    with process:
        guardian = os.pidfd_open(guardian_of(process.pid))
        signal.pidfd_send_signal(guardian, signal.SIGKILL)
        assert select.select([guardian], [], [], 30)[0] == [guardian]  # it has ended
        os.close(guardian)
        process.kill()
    assert os.listdir(folder) == [left.name]
    with temporary(str(folder)) as made:
        assert os.listdir(folder) == [Path(made.path).name]
    assert os.listdir(folder) == []


def test_what_a_living_process_has_stays(folder: Path) -> None:
    process, kept = holder("alone", folder)
    with process:
        with temporary(str(folder)):
            assert kept.is_dir()
        assert os.listdir(folder) == [kept.name]
        process.kill()


def test_what_a_guardian_has_stays(folder: Path) -> None:
    process, kept = holder("inherited", folder)
    child = guardian_of(process.pid)
    try:
        process.kill()
        assert process.wait() == -signal.SIGKILL
        with temporary(str(folder)):
            assert kept.is_dir()
    finally:
        os.kill(child, signal.SIGKILL)
        process.communicate()


def test_what_is_called_otherwise_stays(folder: Path, tmp_path: Path) -> None:
    with temporary(str(folder)) as made:
        name = Path(made.path).name
    elsewhere = name.replace(name.split("-")[1], "00000000", 1)  # of another host
    for other in ("lapwing-demo", "lapwing-12345678", elsewhere):
        (folder / other).mkdir()
    (folder / f"{name}x").write_text("a file")
    (tmp_path / "mine").mkdir()
    (folder / f"{name}y").symlink_to(tmp_path / "mine")
    before = sorted(os.listdir(folder))
    with temporary(str(folder)):
        pass
    assert sorted(os.listdir(folder)) == before
    assert (tmp_path / "mine").is_dir()


def test_one_that_is_removed_before_it_is_locked_is_made_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, made = tempfile.mkdtemp, []

    def make_and_lose(**words: str) -> str:
        made.append(make(**words))
        if len(made) == 1:
            os.rmdir(made[0])
        return made[-1]

    monkeypatch.setattr(tempfile, "mkdtemp", make_and_lose)
    with temporary(str(folder)) as directory:
        assert os.listdir(folder) == [Path(directory.path).name]
    assert len(made) == 2

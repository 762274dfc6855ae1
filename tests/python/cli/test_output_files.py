"""Options that name a file to write, where there is a pipe, a device or a stream instead."""

import json
import os
import stat
import subprocess
import threading
from pathlib import Path

import pytest
from typed import COMMAND, Lapwing, environment

SIMULATE = ["simulate", "--collective", "barrier", "--ranks", "2"]
GOAL = "num_ranks 2\n\nrank 0 {\n"


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    name = tmp_path / "pipe"
    os.mkfifo(name)
    return name


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_a_pipe_is_written_into(lapwing: Lapwing, pipe: Path, force: list[str]) -> None:
    read: list[str] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    assert lapwing(*SIMULATE, "--write", "pipe", *force).table
    reader.join(30)
    assert read[0].startswith(GOAL)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@pytest.mark.parametrize(
    "words",
    [
        [*SIMULATE, "--write"],
        [*SIMULATE, "--trace"],
        ["tune", "ranger", "--mpi", "openmpi-5.0", "--op", "bcast", "--ranks", "2", "-o"],
    ],
)
def test_a_device_is_written_into(lapwing: Lapwing, words: list[str]) -> None:
    assert lapwing(*words, "/dev/null", "--force").table
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    said = lapwing(*words, "/dev/full").complaint
    assert said == "/dev/full: cannot write: No space left on device"


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/stderr"])
@pytest.mark.parametrize("mode", ["w", "a"])
def test_a_redirected_stream_is_written_into(name: str, mode: str, tmp_path: Path) -> None:
    """In the order of the output, behind what a file that is appended to has already."""
    (tmp_path / "out").write_text("before\n")
    with (tmp_path / "out").open(mode) as out:
        subprocess.run(
            [str(COMMAND), *SIMULATE, "--write", name, "--json", "--force"],
            env=environment(),
            stdout=out,
            stderr=out,
            check=True,
        )
    written = (tmp_path / "out").read_text()
    if mode == "a":
        assert written.startswith("before\n")
        written = written.removeprefix("before\n")
    assert written.startswith(GOAL)
    assert json.loads(written[written.index("{\n  ") :])["messages"] == 2
    assert Path(name).is_symlink()


def test_nobody_reads_what_is_written(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [str(COMMAND), *SIMULATE, "--write", "/dev/stdout"],
        env=environment(),
        stdout=writer,
        stderr=subprocess.PIPE,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (["run", "compress", "text", "--on", "mpi:2", "-o"], "-o"),
        (["run", "compress", "text", "--on", "mpi:2", "-o", "out", "--trace"], "--trace"),
        (["run", "is", "--class", "S", "--on", "mpi:2", "--trace"], "--trace"),
        (["run", "triangulation", "--on", "mpi:2", "-o"], "-o"),
        (["run", "triangulation", "--on", "mpi:2", "--trace"], "--trace"),
    ],
)
def test_ranks_write_regular_files_only(
    lapwing: Lapwing, pipe: Path, tmp_path: Path, words: list[str], option: str
) -> None:
    (tmp_path / "text").write_text("text")
    for name in ("pipe", "/dev/null", "/dev/stdout"):
        said = lapwing(*words, name, "--force").complaint
        assert said == f"{name}: is no regular file; name one after {option}"
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_recordings_are_regular_files(lapwing: Lapwing, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.lwt")
    for words in (["convert", "trace"], ["record"]):
        program = ["--", "true"] if words == ["record"] else []
        said = lapwing(*words, "-o", "pipe.lwt", "--force", *program).complaint
        assert said == "pipe.lwt: is no regular file; name one after -o"

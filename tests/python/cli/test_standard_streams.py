"""Commands whose standard input, output or error is closed, full, or read no further."""

import os
import subprocess
from pathlib import Path

import pytest
from typed import COMMAND, Ended, environment

CALIBRATE = "calibrate --on sim:ib4x --only loggp"
# What prints, in every way there is: tables, documents, help, texts.
PRINTING = [
    "show ranger",
    "show ranger --json",
    "--help",
    "plan --help",
    "--version",
    "schema plan",
]


def shell(folder: Path, line: str) -> Ended:
    """The end of `lapwing` with the words and redirections of a shell."""
    done = subprocess.run(
        ["sh", "-c", f"exec '{COMMAND}' {line}"],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=300,
    )
    return Ended(done.returncode, done.stdout, done.stderr)


def unread(folder: Path, words: str) -> tuple[int, str]:
    """Status and messages of a command whose reader is gone before it prints anything."""
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [str(COMMAND), *words.split()],
        cwd=folder,
        env=environment(),
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(writer)
    return done.returncode, done.stderr


@pytest.mark.parametrize("words", PRINTING)
def test_nobody_reads(words: str, tmp_path: Path) -> None:
    """As any program of the shell that a SIGPIPE ends.

    Scripts with `set -o pipefail` know 141 from `cat` or `grep`, and may ignore it. Status 1 is
    the answer "no", and 2 is a mistake in the command line.
    """
    assert unread(tmp_path, words) == (141, "")


def test_head(machine: str, tmp_path: Path) -> None:
    line = f"plan {machine} --volume 512MB --compute 1us --json | head -1"
    ended = shell(tmp_path, line)
    assert (ended.out, ended.err) == ("{\n", "")


@pytest.mark.parametrize("words", PRINTING)
def test_output_that_cannot_be_written(words: str, tmp_path: Path) -> None:
    full = shell(tmp_path, f"{words} >/dev/full")
    assert full.complaint == "standard output: cannot write: No space left on device"
    closed = shell(tmp_path, f"{words} >&-")
    assert closed.complaint == "standard output: cannot write: Bad file descriptor"


@pytest.mark.parametrize("closed", ["<&-", "2>&-", "<&- 2>&-", "2>/dev/full"])
def test_a_result_needs_no_other_stream(closed: str, tmp_path: Path) -> None:
    ended = shell(tmp_path, f"{CALIBRATE} --json {closed}")
    assert ended.document["loggp"]["G"] > 0


@pytest.mark.parametrize("closed", ["2>&-", "2>/dev/full", "<&- >&- 2>&-"])
def test_a_mistake_has_its_status_also_where_nobody_is_told(closed: str, tmp_path: Path) -> None:
    ended = shell(tmp_path, f"show nothing.json {closed}")
    assert (ended.status, ended.out, ended.err) == (2, "", "")


def test_all_closed_files_are_whole(tmp_path: Path) -> None:
    ended = shell(tmp_path, f"{CALIBRATE} -o machine.json <&- >&- 2>&-")
    assert ended.status == 2  # the table had nowhere to go
    assert shell(tmp_path, "show machine.json").status == 0


def test_closed_input_is_told(tmp_path: Path) -> None:
    ended = shell(tmp_path, "run compress - -o out.bz2 --on mpi:2 <&-")
    assert ended.complaint == "standard input: cannot read: Bad file descriptor"
    assert os.listdir(tmp_path) == []

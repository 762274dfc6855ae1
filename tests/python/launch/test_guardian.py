"""What the guardian removes when the process that started it is gone."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from lapwing.launch import guardian

# As MPICH and UCX: a file of this name in shared memory, open or mapped for a while.
HOLD = """
import mmap, sys, time
with open(sys.argv[1], "r+b") as file:
    mapped = mmap.mmap(file.fileno(), 0) if sys.argv[2] == "mapped" else None
    if mapped:
        file.close()
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture(params=["mpich_shar_tmp", "ucx_shm_posix_"])
def meeting(request: pytest.FixtureRequest) -> Iterator[Path]:
    handle, name = tempfile.mkstemp(prefix=request.param, dir="/dev/shm")
    os.write(handle, b"ranks")
    os.close(handle)
    yield Path(name)
    Path(name).unlink(missing_ok=True)


@pytest.mark.parametrize("how", ["open", "mapped"])
def test_a_meeting_of_ranks_goes_with_them(meeting: Path, tmp_path: Path, how: str) -> None:
    someone_else = meeting.with_name(meeting.name + "x")
    someone_else.touch()
    words = [sys.executable, "-I", "-S", guardian.__file__, str(tmp_path / "none")]
    with subprocess.Popen(
        [*words, sys.executable, "-c", HOLD, str(meeting), how],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"held\n"
        process.stdin.close()
        assert process.wait(30) == 128 + 15
    try:
        assert not meeting.exists()
        assert someone_else.exists()
    finally:
        someone_else.unlink()

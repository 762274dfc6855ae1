"""Runs one command, and leaves nothing of it behind, however the process that started it ends.

It is a script of its own: `guardian.py DIRECTORIES COMMAND...`. Its standard input is a pipe whose
other end only the starting process holds. The pipe closes when that process ends, whatever ended
it. The guardian then sends SIGTERM to every descendant and, two seconds later, SIGKILL. It removes
the DIRECTORIES (separated by colons), and the shared memory that MPICH or UCX had no time to
remove. Should it be killed itself, the process that started it ends what is left of the run
(`end_run`), and the locks that it inherits are given up, so that a later process removes the
directories (`temporary.py`). It needs no threads and imports nothing from the package.
"""

import contextlib
import ctypes
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable

# An environment variable of all processes of a run: its directories.
MARK = "LAPWING_RUN"
_GRACE = 2.0  # seconds from SIGTERM to SIGKILL
# MPICH's ranks open a file of such a name and unlink it once all have it open; UCX tests its shared
# memory with one while it starts. Both are left behind if they are ended before.
_SHARED_FILES = ("/dev/shm/mpich_shar_tmp", "/dev/shm/ucx_shm_posix_")
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def main() -> int:
    """Return the command's exit status; 128 + signal number if a signal ended it."""
    control, directories, command = 0, sys.argv[1].split(os.pathsep), sys.argv[2:]
    # Handlers that do nothing: the command would inherit an ignored signal, but no handler.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(number, lambda *_: None)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)

    prctl = ctypes.CDLL(None).prctl
    # Ranks that lose their launcher become children of this process, which finds them.
    prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def die_with_guardian() -> None:
        prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)

    try:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, preexec_fn=die_with_guardian)
        while child.poll() is None:
            ready, _, _ = select.select([control, woken], [], [])
            if control in ready:
                break
            os.read(woken, 512)
        _end(_descendants)
        child.wait()
    except OSError as error:
        print(f"cannot start {command[0]}: {error.strerror}", file=sys.stderr)
        return 127
    finally:
        for directory in directories:
            shutil.rmtree(directory, ignore_errors=True)
    status = child.returncode
    return status if status >= 0 else 128 - status


def end_run(directories: str) -> None:
    """End the processes of a run after the death of its guardian: those with the mark of its
    directories."""
    mark = f"{MARK}={directories}".encode()

    def marked() -> list[int]:
        found = []
        for process in _parents():
            with contextlib.suppress(OSError), open(f"/proc/{process}/environ", "rb") as file:
                if mark in file.read().split(b"\0"):
                    found.append(process)
        return found

    _end(marked)


def _end(living: Callable[[], list[int]]) -> None:
    """End processes: SIGTERM once, then SIGKILL until none of them is living."""
    deadline = time.monotonic() + _GRACE
    remaining = living()
    # Stopped, so that none makes a file after its files were listed.
    _signal(remaining, signal.SIGSTOP)
    left_files = _shared_files(remaining)
    _signal(remaining, signal.SIGTERM)
    _signal(remaining, signal.SIGCONT)
    while remaining := living():
        left_files |= _shared_files(remaining)
        if time.monotonic() > deadline:
            _signal(remaining, signal.SIGKILL)
        time.sleep(0.02)
    for left_file in left_files:
        with contextlib.suppress(OSError):
            os.unlink(left_file)


def _shared_files(processes: list[int]) -> set[str]:
    """The files of MPICH and UCX in shared memory that processes hold open or mapped."""
    found = set()
    for process in processes:
        with contextlib.suppress(OSError):  # it ended meanwhile
            for entry in os.scandir(f"/proc/{process}/fd"):
                with contextlib.suppress(OSError):
                    found.add(os.readlink(entry.path))
        with contextlib.suppress(OSError), open(f"/proc/{process}/maps") as maps:
            found |= {line.split(maxsplit=5)[-1].rstrip("\n") for line in maps}
    return {name for name in found if name.startswith(_SHARED_FILES) and " " not in name}


def _signal(processes: list[int], number: signal.Signals) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, number)


def _descendants() -> list[int]:
    """Processes below this one that have not ended."""
    parents = _parents()
    found = {os.getpid()}
    while below := {each for each, parent in parents.items() if parent in found} - found:
        found |= below
    return sorted(found - {os.getpid()})


def _parents() -> dict[int, int]:
    """The parent of each process that has not ended."""
    parents = {}
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                # "pid (name) state parent ...": the name may hold a ")", so the last one counts.
                state, parent = file.read().rpartition(b")")[2].split()[:2]
        except OSError:  # it ended meanwhile
            continue
        if state not in (b"Z", b"X"):
            parents[int(name)] = int(parent)
    return parents


if __name__ == "__main__":
    sys.exit(main())

"""The command line of Lapwing in a process that is forked from one which has loaded it.

It is the command as a user types it, in a folder and an environment of its own, but for the start
of Python and the loading of modules, which are most of the time of a short command.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn

_LOADED = ("forked", "lapwing._core", "lapwing.cli.main", "lapwing.cli.results", "rich.table")
_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(list(_LOADED))


def run_forked(
    words: Sequence[str], folder: Path, environment: Mapping[str, str], timeout: float
) -> tuple[int, str, str]:
    """Run a command line; return its exit status and what it wrote to both streams."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        streams = [f"/proc/{os.getpid()}/fd/{stream.fileno()}" for stream in (out, err)]
        process = _context.Process(target=_command, args=(words, folder, environment, *streams))
        process.start()
        process.join(timeout)
        if process.exitcode is None:
            process.kill()
            process.join()
            raise subprocess.TimeoutExpired(words, timeout)
        assert process.exitcode is not None
        written = []
        for stream in (out, err):
            stream.seek(0)
            written.append(stream.read().decode())
        return process.exitcode, written[0], written[1]


def _command(
    words: Sequence[str], folder: Path, environment: Mapping[str, str], out: str, err: str
) -> NoReturn:
    """The process: as `python -m lapwing` begins it."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, path in enumerate((os.devnull, out, err)):
        opened = os.open(path, os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_APPEND)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(number, "r" if number == 0 else "w", encoding="utf-8", closefd=False)
        for number in range(3)
    )
    sys.argv = ["lapwing", *words]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    from lapwing.__main__ import main

    try:
        status = main()
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)

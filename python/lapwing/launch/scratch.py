"""A temporary directory that is removed however the process that made it ends."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from . import guardian
from .temporary import temporary

_WAIT = "import signal; signal.pause()"


@contextlib.contextmanager
def scratch(parent: str | None = None) -> Iterator[Path]:
    """A new directory until the end of the block; it is removed after a SIGKILL as well.

    parent: the directory to make it in; None, that of temporary files.
    """
    with temporary(parent) as directory:
        # The guardian of a command that does nothing removes the directory when the pipe closes.
        command = [sys.executable, "-I", "-S", guardian.__file__]
        command += [os.path.abspath(directory.path), sys.executable, "-I", "-S", "-c", _WAIT]
        keeper = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=[directory.lock],
            start_new_session=True,  # Ctrl-C in the terminal reaches this process alone
        )
        try:
            yield Path(directory.path)
        finally:
            keeper.communicate()  # closes the pipe

"""Standard input as a file that rank 0 can open.

Launchers pass standard input on as well, but MPICH's gives up if the program reads more slowly than
data comes."""

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

from ..errors import LapwingError

_PORTION = 1 << 20  # bytes


@contextlib.contextmanager
def named_pipe(source: int, directory: Path) -> Iterator[Path]:
    """A named pipe in `directory` with the data of `source`, a file descriptor.

    If reading fails, the block is interrupted, so that the program does not take that for the end
    of the data, and a LapwingError says why. In other errors of the block the pipe is called
    standard input.
    """
    name = directory / "input"
    os.mkfifo(name, 0o600)
    failed: list[OSError] = []

    def pump() -> None:
        try:
            with open(name, "wb", buffering=0) as pipe:  # waits for a reader
                while portion := _read(source, failed):
                    while portion:
                        portion = portion[pipe.write(portion) :]
                if failed:
                    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
                    threading.Event().wait()  # closing the pipe would look like the end
        except BrokenPipeError:
            pass  # the reader is gone

    thread = threading.Thread(target=pump, daemon=True)
    thread.start()
    try:
        yield name
    except KeyboardInterrupt:
        if not failed:
            raise
        reason = failed[0].strerror
        raise LapwingError(f"standard input: cannot read: {reason}") from None
    except LapwingError as error:
        error.args = (str(error).replace(str(name), "standard input"),)
        raise
    finally:
        # Opening the pipe ends a thread that still waits for a reader.
        with contextlib.suppress(OSError):
            os.close(os.open(name, os.O_RDONLY | os.O_NONBLOCK))
        # A thread that waits for data ends with the process.
        thread.join(timeout=0.1)


def _read(source: int, failed: list[OSError]) -> memoryview:
    try:
        return memoryview(os.read(source, _PORTION))
    except OSError as error:
        failed.append(error)
        return memoryview(b"")

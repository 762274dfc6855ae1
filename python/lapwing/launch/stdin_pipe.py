"""Standard input as a file that rank 0 can open.

Launchers hand it on as well, but not all of them to a program that reads more slowly than it comes:
MPICH's gives up."""

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
    """A named pipe in `directory` that gives what is read from `source`, a file descriptor.

    Where reading fails the block is interrupted, for what reads the pipe must not take that for the
    end, and the reason raised.
    """
    name = directory / "input"
    os.mkfifo(name, 0o600)
    failed: list[OSError] = []

    def pump() -> None:
        try:
            with open(name, "wb", buffering=0) as pipe:  # once somebody opens it to read
                while portion := _read(source, failed):
                    while portion:
                        portion = portion[pipe.write(portion) :]
                if failed:
                    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
                    threading.Event().wait()  # not closed, which would be the end
        except BrokenPipeError:
            pass  # nobody reads on

    thread = threading.Thread(target=pump, daemon=True)
    thread.start()
    try:
        yield name
    except KeyboardInterrupt:
        if not failed:
            raise
        reason = failed[0].strerror
        raise LapwingError(f"standard input: cannot read: {reason}") from None
    finally:
        # Where nobody has opened it the thread waits for that; then nobody reads on.
        with contextlib.suppress(OSError):
            os.close(os.open(name, os.O_RDONLY | os.O_NONBLOCK))
        # It may wait for more to read, and then ends with the process.
        thread.join(timeout=0.1)


def _read(source: int, failed: list[OSError]) -> memoryview:
    try:
        return memoryview(os.read(source, _PORTION))
    except OSError as error:
        failed.append(error)
        return memoryview(b"")

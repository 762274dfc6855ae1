"""Standard input, output and error: what if they are closed, full, or read no further."""

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import TextIO

from ..errors import LapwingError


def open_closed() -> None:
    """Open the standard streams that the caller closed (`<&-`, `>&-`, `2>&-`).

    Otherwise the next file that is opened, say a pipe to a launched program, would take the place
    of the closed one. Reading the input and writing the output go on to fail, as on a closed
    stream: each is /dev/null, open for the other direction. Messages to a closed standard error are
    dropped.
    """
    for stream, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(stream)
        except OSError:
            opened = os.open(os.devnull, mode)  # the lowest number that is free
            if opened != stream:
                os.dup2(opened, stream)
                os.close(opened)
            os.set_inheritable(stream, True)
    # Python has no objects for streams that were closed when it started.
    sys.stdin = sys.stdin or os.fdopen(0, closefd=False)
    sys.stdout = sys.stdout or os.fdopen(1, "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", closefd=False)


@contextlib.contextmanager
def to_output() -> Iterator[None]:
    """A block that writes to standard output: LapwingError where that fails.

    A BrokenPipeError is left as it is: that nobody reads any more is no error to tell of.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise LapwingError(f"standard output: cannot write: {error.strerror}") from None


def drop_output() -> None:
    """Drop what standard output cannot take, lest it fail once more when Python ends."""
    _drop(sys.stdout)


def say(line: str) -> None:
    """Print a line on standard error, as far as that can be written to."""
    with contextlib.suppress(OSError):
        print(line, file=sys.stderr)
    _drop(sys.stderr)


def _drop(stream: TextIO) -> None:
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())

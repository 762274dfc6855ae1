"""What becomes of an exception on one rank, for which the others would wait for ever."""

import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Literal

from mpi4py import MPI

from ..errors import LapwingError

_chosen: Literal["end job", "raise"] = "end job"


def on_failure(choice: Literal["end job", "raise"]) -> None:
    """Choose the fate of exceptions that leave a loop of several ranks, from now on.

    "end job": the rank prints what went wrong and where, and takes the other ranks down.
    "raise": the exception goes on to the caller. Then no rank may wait for this one.
    """
    global _chosen
    _chosen = choice


@contextmanager
def ending_job(where: Callable[[], str]) -> Iterator[None]:
    """End the job by an exception of the block, if the program has chosen that.

    where: the place in the program, for the error.
    """
    try:
        yield
    except Exception as error:
        if _ends_job() and not isinstance(error, LapwingError):
            traceback.print_exception(error)
        _end_job(f"{where()}: {error}")
        raise


def _end_job(what: str) -> None:
    """Print what went wrong and end all ranks, if exceptions end the job."""
    if not _ends_job():
        return
    print(f"lapwing: rank {MPI.COMM_WORLD.rank}: {LapwingError(what)}", file=sys.stderr, flush=True)
    # A launcher that is told to end all ranks drops the output that it has not read yet.
    time.sleep(0.1)
    MPI.COMM_WORLD.Abort(1)


def _ends_job() -> bool:
    several = not MPI.Is_finalized() and MPI.COMM_WORLD.size > 1
    return several and _chosen == "end job"


def _uncaught(kind: type[BaseException], error: BaseException, at: TracebackType | None) -> None:
    """Python ends by an exception that nobody caught: so do the other ranks."""
    if not isinstance(error, LapwingError) or not _ends_job():
        _before(kind, error, at)
    _end_job(f"uncaught: {error}")


_before = sys.excepthook
sys.excepthook = _uncaught

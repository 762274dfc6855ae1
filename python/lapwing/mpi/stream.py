"""Data that arrives from other ranks piece by piece, and sending it."""

import time
from collections.abc import Callable, Sequence
from typing import Any, overload

from mpi4py import MPI
from numpy.typing import NDArray

from .._core import Plan
from .arrivals import Arrivals, arrivals_from
from .failure import ending_job
from .pieces import Piece, Pieces
from .window import MessageWindow


@overload
def stream(comm: MPI.Comm, source: int, data: NDArray[Any], plan: Plan) -> Arrivals: ...
@overload
def stream(
    comm: MPI.Comm,
    source: int,
    data: NDArray[Any],
    plan: Plan,
    consume: Callable[[Piece], object],
) -> None: ...
def stream(
    comm: MPI.Comm,
    source: int,
    data: NDArray[Any],
    plan: Plan,
    consume: Callable[[Piece], object] | None = None,
) -> Arrivals | None:
    """Fetch, then consume (Iancu and Strohmaier 2007): the pieces of data that rank `source` sends.

    While one piece is consumed the next ones travel, as many and as large as `plan` says. The other
    side is `feed` with the same plan. Leaving the loop early receives what is left.

    comm: rank `source` sends nothing else on it meanwhile; `comm.Dup()` makes one of its own.
    data: room for the whole stream, a contiguous array; a piece is a view of it.
    consume: called for each piece; None: returns the pieces, to iterate over.

    Raises ValueError if the plan is for another volume or cuts through elements. Ranks with
    different plans end with one line: see `on_failure`.
    """
    streams = [Pieces("stream", data, plan, source)]
    return _given_to(consume, arrivals_from(comm, streams, plan, "contiguous"))


@overload
def multi(comm: MPI.Comm, sources: Sequence[int], data: NDArray[Any], plan: Plan) -> Arrivals: ...
@overload
def multi(
    comm: MPI.Comm,
    sources: Sequence[int],
    data: NDArray[Any],
    plan: Plan,
    consume: Callable[[Piece], object],
) -> None: ...
def multi(
    comm: MPI.Comm,
    sources: Sequence[int],
    data: NDArray[Any],
    plan: Plan,
    consume: Callable[[Piece], object] | None = None,
) -> Arrivals | None:
    """`stream` from several ranks at once, in the order of peers that the plan has.

    The other side is `feed` with the same plan on each of the ranks. The plan's volume and messages
    are those of each stream; its window is over all of them.

    comm: the sources send nothing else on it meanwhile.
    sources: ranks, each once.
    data: room for all streams: `data[k]` is that of rank `sources[k]`. A piece is a view of it, and
        `piece.peer` is its sender.
    consume: called for each piece; None: returns the pieces, to iterate over.

    Raises ValueError if the data have not as many rows as there are sources, or as `stream`.
    """
    if len(data) != len(sources):
        raise ValueError(f"multi: {len(sources)} sources, and room for {len(data)} streams")
    streams = [
        Pieces("multi", room, plan, source) for room, source in zip(data, sources, strict=True)
    ]
    return _given_to(consume, arrivals_from(comm, streams, plan, plan.order))


def _given_to(consume: Callable[[Piece], object] | None, arrivals: Arrivals) -> Arrivals | None:
    """The pieces, to iterate over; or None, when `consume` has had them all."""
    if consume is None:
        return arrivals
    arrivals.for_each(consume)
    return None


def feed(comm: MPI.Comm, dest: int, data: NDArray[Any], plan: Plan) -> None:
    """Send `data` to rank `dest` as `plan` says, and return when all of it has left.

    The other side is `stream` with the same plan. Raises ValueError if the plan is for another
    volume or cuts through elements.
    """
    pieces = Pieces("feed", data, plan)
    window = MessageWindow(plan.window, 0)
    due = 0.0
    number = 0
    with window, ending_job(lambda: f"feed of rank {dest}, message {number}"):
        for number in range(len(pieces)):
            if window.full:
                window.wait_oldest()
            part = pieces[number].data
            if plan.pace > 0:
                while number > 0 and time.perf_counter() < due:
                    pass
                due = time.perf_counter() + plan.pace * part.nbytes
            window.add(comm.Isend([part, MPI.BYTE], dest, pieces.tag(number)))
        while len(window) > 0:
            window.wait_oldest()

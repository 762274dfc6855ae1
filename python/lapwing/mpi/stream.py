"""Data that arrives from another rank piece by piece, and sending it."""

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, overload

from mpi4py import MPI
from numpy.typing import NDArray

from .._core import Plan
from .failure import ending_job
from .pieces import Piece, Pieces, message_tag
from .requests import Receive
from .window import MessageWindow

# Streams that come in, by communicator and rank. Where two of one rank do, only tags tell them
# apart, and cannot tell whether both sides have the same plan.
_incoming: Counter[tuple[int, int]] = Counter()


@overload
def stream(comm: MPI.Comm, source: int, data: NDArray[Any], plan: Plan) -> "Arrivals": ...
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
) -> "Arrivals | None":
    """Fetch, then consume (Iancu and Strohmaier 2007): the pieces of data that rank `source` sends.

    While one piece is consumed the next ones travel, as many and as large as `plan` says. The other
    side is `feed` with the same plan. Leaving the loop early receives what is left.

    comm: rank `source` sends nothing else on it meanwhile; `comm.Dup()` makes one of its own.
    data: room for the whole stream, a contiguous array; a piece is a view of it.
    consume: called for each piece; None: the pieces are returned, to be iterated over.

    Raises ValueError if the plan is for another volume or cuts through elements. Ranks with
    different plans end with one line: see `on_failure`.
    """
    arrivals = Arrivals(comm, source, Pieces("stream", data, plan), plan)
    if consume is None:
        return arrivals
    with ending_job(arrivals.where):
        for piece in arrivals:
            consume(piece)
    return None


class Arrivals(Iterator[Piece]):
    """The pieces of a stream, which `stream` returns. For each that has arrived the next is
    initiated; where the plan has bursts, the next burst when one has been consumed."""

    _open = False

    def __init__(self, comm: MPI.Comm, source: int, pieces: Pieces, plan: Plan) -> None:
        self._comm = comm
        self._source = source
        self._pieces = pieces
        self._window = MessageWindow(plan.window, plan.poll_interval)
        self._burst = min(plan.burst, plan.window)
        self._initiated = self._arrived = self._consumed = 0
        self._key = (MPI._handleof(comm), source)
        _incoming[self._key] += 1
        self._open = True
        with ending_job(self.where):
            self._fill()

    def __next__(self) -> Piece:
        if self._arrived == len(self._pieces):
            self._end()
            raise StopIteration
        with ending_job(self.where):
            if self._burst > 0 and self._consumed == self._burst:
                self._fill()
                self._consumed = 0
            piece: Piece = self._window.wait_oldest()
            self._arrived += 1
            self._consumed += 1
            if self._burst == 0 and self._initiated < len(self._pieces):
                self._initiate()
        return piece

    def close(self) -> None:
        """Receive what is left."""
        if self._open:
            for _ in self:
                pass

    def __del__(self) -> None:
        if not MPI.Is_finalized():
            with contextlib.suppress(Exception):
                self.close()

    def where(self) -> str:
        """The place in the program, for an error."""
        return f"stream from rank {self._source}, message {self._arrived}"

    def _fill(self) -> None:
        while not self._window.full and self._initiated < len(self._pieces):
            self._initiate()

    def _initiate(self) -> None:
        number = self._initiated
        piece, tag = self._pieces[number], self._pieces.tag(number)
        checked = number == 0 and _incoming[self._key] == 1
        request = self._comm.Irecv(
            [piece.data, MPI.BYTE], self._source, MPI.ANY_TAG if checked else tag
        )
        self._window.add(
            Receive(
                request,
                self._source,
                piece.data.nbytes,
                tag if checked else None,
                message_tag(0),
            ),
            piece,
        )
        self._initiated += 1

    def _end(self) -> None:
        if self._open:
            self._open = False
            self._window.close()
            _incoming[self._key] -= 1


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

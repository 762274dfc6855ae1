"""Messages that arrive: while one is consumed, the next ones travel."""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import product

from mpi4py import MPI

from .._core import Plan
from .failure import ending_job
from .pieces import Piece, Pieces, message_tag
from .requests import Receive
from .window import MessageWindow, Request

# Initiates the receive of a piece: of which stream, by place, and its number in that.
Initiate = Callable[[int, int, Piece], Request]


class Arrivals(Iterator[Piece]):
    """The pieces of one or several streams, one after another; template E of Iancu and Strohmaier
    (2007). After each arrival it initiates the next message; where the plan has bursts, the next
    burst after a consumed one. The plan's window is over all streams."""

    def __init__(
        self,
        streams: Sequence[Pieces],
        plan: Plan,
        order: str,
        initiate: Initiate,
        close: Callable[[], None] = lambda: None,
    ) -> None:
        """order: "contiguous", all messages of one stream and then of the next; or "interleaved",
            one of each in turn.
        close: called once, when all pieces have arrived."""
        self._streams = streams
        self._initiate_receive = initiate
        self._close = close
        self._window = MessageWindow(plan.window, plan.poll_interval)
        self._burst = min(plan.burst, plan.window)
        places, numbers = range(len(streams)), range(plan.count)
        self._to_initiate = iter(
            product(places, numbers)
            if order == "contiguous"
            else ((place, number) for number, place in product(numbers, places))
        )
        self._consumed = 0
        self._arrived: Piece | None = None  # the latest
        self._open = True
        with ending_job(self.where):
            self._fill()

    def __next__(self) -> Piece:
        with ending_job(self.where):
            if self._burst > 0 and self._consumed == self._burst:
                self._fill()
                self._consumed = 0
            if len(self._window) > 0:
                piece: Piece = self._window.wait_oldest()
                self._arrived = piece
                self._consumed += 1
                if self._burst == 0:
                    self._initiate_next()
                return piece
            self._end()
        raise StopIteration

    def for_each(self, consume: Callable[[Piece], object]) -> None:
        """Call `consume` for each piece."""
        with ending_job(self.where):
            for piece in self:
                consume(piece)

    def close(self) -> None:
        """Receive what is left."""
        if self._open:
            for _ in self:
                pass

    def __del__(self) -> None:
        if getattr(self, "_open", False) and not MPI.Is_finalized():
            with contextlib.suppress(Exception):
                self.close()

    def where(self) -> str:
        """The place in the program, for an error."""
        if self._arrived is not None:
            return f"stream from rank {self._arrived.peer}, element {self._arrived.first}"
        if len(self._streams) == 1:
            return f"stream from rank {self._streams[0].peer}"
        return f"streams from {len(self._streams)} ranks"

    def _fill(self) -> None:
        while not self._window.full and self._initiate_next():
            pass

    def _initiate_next(self) -> bool:
        """Initiate the next message; False: all are."""
        place, number = next(self._to_initiate, (-1, -1))
        if place < 0:
            return False
        piece = self._streams[place][number]
        self._window.add(self._initiate_receive(place, number, piece), piece)
        return True

    def _end(self) -> None:
        if self._open:
            self._open = False
            self._window.close()
            self._close()


# Streams that come in, by communicator and rank. Where two of one rank do, only tags tell them
# apart, and cannot tell whether both sides have the same plan.
_incoming: Counter[tuple[int, int]] = Counter()


def arrivals_from(
    comm: MPI.Comm,
    streams: Sequence[Pieces],
    plan: Plan,
    order: str,
) -> Arrivals:
    """Streams that their peers send by `feed`. The first message of each says how it is cut."""
    keys = [(MPI._handleof(comm), pieces.peer) for pieces in streams]
    _incoming.update(keys)

    def initiate(place: int, number: int, piece: Piece) -> Receive:
        tag = streams[place].tag(number)
        checked = number == 0 and _incoming[keys[place]] == 1
        request = comm.Irecv([piece.data, MPI.BYTE], piece.peer, MPI.ANY_TAG if checked else tag)
        first_tag = tag if checked else None
        return Receive(request, piece.peer, piece.data.nbytes, first_tag, message_tag(0))

    return Arrivals(streams, plan, order, initiate, lambda: _incoming.subtract(keys))

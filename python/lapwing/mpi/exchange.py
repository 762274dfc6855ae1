"""A two-way exchange with several ranks, piece by piece."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mpi4py import MPI
from numpy.typing import NDArray

from .._core import PeerSequence, Plan, alltoall_sequence
from .arrivals import Arrivals
from .failure import ending_job
from .pieces import Piece, Pieces, message_tag
from .requests import Receive

# Arrays by rank: an array whose first axis is the rank, or a dictionary of arrays.
ByRank = NDArray[Any] | Sequence[NDArray[Any]] | Mapping[int, NDArray[Any]]


def exchange(
    comm: MPI.Comm,
    out: ByRank,
    into: ByRank,
    plan: Plan,
    consume: Callable[[Piece], object] = lambda piece: None,
    sequence: PeerSequence | None = None,
) -> None:
    """Exchange data with several ranks; while one piece is consumed the next ones travel. Returns
    when all that this rank sends has left, too. All ranks call it, with the same plan.

    out, into: by rank, contiguous arrays of the plan's volume: data for that rank, and room for
        the data of that rank. This rank's own do not matter.
    plan: its volume is what one rank gets from another; its window is over all messages that are
        received. It says in which order the peers' messages come.
    consume: called for each piece that has arrived; `piece.peer` is its sender.
    sequence: whom this rank exchanges with; None: with all others, staggered if the plan says so.

    Raises ValueError if the plan is for another volume or cuts through elements.
    """
    if sequence is None:
        sequence = alltoall_sequence(comm.rank, comm.size, plan.staggered)
    if len(sequence.send_to) != len(sequence.receive_from):
        raise ValueError("exchange: as many places to send in as to receive in")
    rooms = [Pieces("exchange", into[peer], plan, peer) for peer in sequence.receive_from]
    data = [
        [(rank, Pieces("exchange", out[rank], plan)) for rank in ranks]
        for ranks in sequence.send_to
    ]
    sends: deque[MPI.Request] = deque()

    def initiate(place: int, number: int, piece: Piece) -> _Paired:
        """Receive a message, and send those that others receive in the same place."""
        tag = message_tag(number)
        request = comm.Irecv([piece.data, MPI.BYTE], piece.peer, tag)
        for rank, pieces in data[place]:
            sends.append(comm.Isend([pieces[number].data, MPI.BYTE], rank, tag))
        return _Paired(Receive(request, piece.peer, piece.data.nbytes), sends)

    Arrivals(rooms, plan, plan.order, initiate).for_each(consume)
    with ending_job(lambda: "exchange, at its end"):
        MPI.Request.Waitall(list(sends))


class _Paired:
    """A message that is received. A test of it lets the sends advance, too. Without tests a long
    message stands still, and so does the rank that waits for it."""

    def __init__(self, receive: Receive, sends: deque[MPI.Request]) -> None:
        self._receive = receive
        self._sends = sends

    def Wait(self) -> None:
        self._receive.Wait()

    def Test(self) -> bool:
        if not self._receive.Test():
            return False
        while self._sends and self._sends[0].Test():
            self._sends.popleft()
        return not self._sends

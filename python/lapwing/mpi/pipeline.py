"""Data that leaves piece by piece, during the computation of later pieces."""

from collections.abc import Callable
from typing import Any

from mpi4py import MPI
from numpy.typing import NDArray

from .._core import Plan
from .agreement import require_same_plan
from .failure import ending_job
from .pieces import Piece, Pieces
from .window import MessageWindow, Request


def pipeline(
    comm: MPI.Intracomm,
    data: NDArray[Any],
    plan: Plan,
    computation: Callable[[Piece], object],
    communication: int | Callable[[Piece], Request],
    consume: Callable[[Piece], object] | None = None,
) -> None:
    """Produce, then communicate (Hoefler, Gottschling, Lumsdaine 2008): computes `data` piece by
    piece, and sends each piece while later ones are computed. Returns when all have left.

    data: a contiguous array; the plan cuts it into pieces, which are views of it.
    computation: fills a piece. Inside a long one call `poll()`.
    communication: the rank to send the pieces to; it receives them by `stream` with the same plan.
        Or a function that initiates the communication of a piece and returns its request, such as
        `lambda piece: comm.Iallreduce(MPI.IN_PLACE, piece.data)`. With a function all ranks of
        `comm` call this together, and need the same plan.
    consume: called for each piece, in order, when its request is complete.

    Raises ValueError if the plan is for another volume or cuts through elements, and LapwingError
    on all ranks if their plans disagree. What becomes of other exceptions: see `on_failure`.
    """
    pieces = Pieces("pipeline", data, plan)
    window = MessageWindow(plan.window, plan.poll_interval)
    number = 0

    def initiate(piece: Piece) -> Request:
        if isinstance(communication, int):
            return comm.Isend([piece.data, MPI.BYTE], communication, pieces.tag(number))
        return communication(piece)

    def complete() -> None:
        piece = window.wait_oldest()
        if consume is not None:
            consume(piece)

    if not isinstance(communication, int):
        require_same_plan(plan, comm)
    with window, ending_job(lambda: f"pipeline, message {number}"):
        for number in range(len(pieces)):
            if window.full:
                complete()
            computation(pieces[number])
            window.add(initiate(pieces[number]), pieces[number])
        while len(window) > 0:
            complete()

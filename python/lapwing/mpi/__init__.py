"""Loops that overlap computation and communication, over mpi4py communicators and numpy arrays.

    from mpi4py import MPI
    from lapwing import mpi

    plan = lapwing.plan(machine, volume=data.nbytes, compute="12ms", grain=data.itemsize)
    if MPI.COMM_WORLD.rank == 1:
        mpi.feed(MPI.COMM_WORLD, 0, data, plan)
    else:
        for piece in mpi.stream(MPI.COMM_WORLD, 1, data, plan):  # the next pieces travel meanwhile
            total += piece.data.sum()

They run as the templates of C++ do: the same messages in the same order with the same tags. So one
side may be in either language. docs/python.md introduces them.
"""

from ..errors import needed

needed("mpi4py.MPI", "lapwing.mpi", "mpi")

from .._core import (  # noqa: E402
    PeerSequence,
    alltoall_sequence,
    ring_sequence,
    torus_sequence,
)
from .agreement import require_same_plan  # noqa: E402
from .arrivals import Arrivals  # noqa: E402
from .edge import Edge, Side  # noqa: E402
from .exchange import exchange  # noqa: E402
from .failure import on_failure  # noqa: E402
from .halo import Halo  # noqa: E402
from .pieces import Piece  # noqa: E402
from .pipeline import pipeline  # noqa: E402
from .stream import feed, multi, stream  # noqa: E402
from .window import poll  # noqa: E402

__all__ = [
    "Arrivals",
    "Edge",
    "Halo",
    "PeerSequence",
    "Piece",
    "Side",
    "alltoall_sequence",
    "exchange",
    "feed",
    "multi",
    "on_failure",
    "pipeline",
    "poll",
    "require_same_plan",
    "ring_sequence",
    "stream",
    "torus_sequence",
]

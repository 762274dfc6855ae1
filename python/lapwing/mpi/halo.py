"""Edges that travel between neighbours while the interior is computed."""

import contextlib
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from mpi4py import MPI
from numpy.typing import NDArray

from .._core import Plan
from .failure import ending_job
from .requests import failed, require_size
from .window import Poller


@dataclass(frozen=True, eq=False)
class Edge:
    """What is exchanged with one neighbour.

    peer: rank of the neighbour; negative: none, the grid ends here.
    send: view of our elements that it needs.  receive: view of the room for its elements.
    send_tag, receive_tag: what is sent with a tag arrives where the neighbour receives with the
        same tag. Sides of a grid need none, see `Side`.

    A view whose elements do not lie side by side, such as a column, is packed and unpacked.
    """

    peer: int
    send: NDArray[Any]
    receive: NDArray[Any]
    send_tag: int = 0
    receive_tag: int = 0


@dataclass(frozen=True, eq=False)
class Side:
    """One side of a rank's block of a grid.

    peer: rank of the neighbour; negative: none, the grid ends here.
    send: view of our elements that it needs.  receive: view of the room for its elements.

    Sides are listed in pairs of opposite ones: up and down, left and right. What a rank sends down,
    its lower neighbour receives from above. A side alone is its own opposite: two ranks face each
    other.
    """

    peer: int
    send: NDArray[Any]
    receive: NDArray[Any]


def _edge(place: int, side: Edge | Side, sides: int) -> Edge:
    """The edge at a side; what it receives, the neighbour sends from the opposite side."""
    if isinstance(side, Edge):
        return side
    return Edge(side.peer, side.send, side.receive, place, place if sides == 1 else place ^ 1)


class Halo:
    """Exchanges edges with neighbours, again and again, as an iteration over a grid does.

        halo = mpi.Halo(comm, sides)
        for _ in range(steps):
            halo.exchange(interior)
            border()

    Each edge is one message, as of a `Halo` of C++ whose plan has one. Collective over neighbours:
    both sides of an edge exchange equally often.
    """

    def __init__(
        self, comm: MPI.Comm, sides: Sequence[Side | Edge], plan: Plan | None = None
    ) -> None:
        """sides: of a grid, in pairs of opposite ones; or edges of any graph, with tags.

        plan: says how often `poll()` in the interior lets messages advance; None: never.

        Raises ValueError if two edges with one neighbour have the same tag.
        """
        edges = [_edge(place, side, len(sides)) for place, side in enumerate(sides)]
        self._edges = edges
        self._interval = plan.poll_interval if plan is not None else 0.0
        self._in = _ordered(edges, "receive_tag")
        self._out = _ordered(edges, "send_tag")
        self._absent = [place for place, edge in enumerate(edges) if edge.peer < 0]
        self._sent = {place: _side_by_side(edges[place].send) for place in self._out}
        self._received = {place: _side_by_side(edges[place].receive) for place in self._in}
        self._sends: list[MPI.Prequest] = [
            comm.Send_init([self._sent[at], MPI.BYTE], edges[at].peer, edges[at].send_tag)
            for at in self._out
        ]
        self._receives: list[MPI.Prequest] = [
            comm.Recv_init([self._received[at], MPI.BYTE], edges[at].peer, edges[at].receive_tag)
            for at in self._in
        ]
        self._waiting = 0
        self._arrived: deque[int] = deque()
        self._exchanges = 0

    def __del__(self) -> None:
        if MPI.Is_finalized():
            return
        for request in [*getattr(self, "_receives", ()), *getattr(self, "_sends", ())]:
            with contextlib.suppress(MPI.Exception):
                request.Wait()
            request.Free()

    def exchange(
        self,
        interior: Callable[[], object],
        border: Callable[[int], object] | None = None,
        pack: Callable[[int], object] | None = None,
    ) -> None:
        """Initiate all edges, call `interior()`, and return when all have arrived and left.

        border: called with the place of each edge as soon as that has arrived, in no certain order,
            and for edges without a neighbour, too.
        pack: called with the place of each edge right before it is sent.

        Until this returns, the edges' memory is in use.
        """
        with ending_job(lambda: f"halo, exchange {self._exchanges}"):
            self._initiate(pack)
            poller = Poller(self._interval, self._progress)
            try:
                interior()
            finally:
                poller.end()
            if border is not None:
                for place in self._absent:
                    border(place)
            while self._waiting > 0 or self._arrived:
                if not self._arrived:
                    self._await_one()
                place = self._arrived.popleft()
                self._unpack(place)
                if border is not None:
                    border(place)
            MPI.Request.Waitall(self._sends)
        self._exchanges += 1

    def _initiate(self, pack: Callable[[int], object] | None) -> None:
        # An exception may have ended the last exchange.
        MPI.Request.Waitall([*self._receives, *self._sends])
        self._arrived.clear()
        self._waiting = len(self._in)
        for request in self._receives:
            request.Start()
        for place, request in zip(self._out, self._sends, strict=True):
            if pack is not None:
                pack(place)
            if self._sent[place] is not self._edges[place].send:
                self._sent[place][...] = self._edges[place].send
            request.Start()

    def _unpack(self, place: int) -> None:
        if self._received[place] is not self._edges[place].receive:
            self._edges[place].receive[...] = self._received[place]

    def _await_one(self) -> None:
        status = MPI.Status()
        try:
            which = MPI.Request.Waitany(self._receives, status)
        except MPI.Exception as error:
            raise self._failure(error, status) from None
        self._note(which, status)

    def _progress(self) -> None:
        """Called by `poll()`. A test lets all messages advance."""
        done = True
        while done and self._waiting > 0:
            status = MPI.Status()
            try:
                which, done = MPI.Request.Testany(self._receives, status)
            except MPI.Exception as error:
                raise self._failure(error, status) from None
            if done:
                self._note(which, status)
        if self._waiting == 0:
            MPI.Request.Testall(self._sends)

    def _note(self, which: int, status: MPI.Status) -> None:
        place = self._in[which]
        require_size(status, self._edges[place].peer, self._received[place].nbytes)
        self._waiting -= 1
        self._arrived.append(place)

    def _failure(self, error: MPI.Exception, status: MPI.Status) -> Exception:
        peer = status.source
        of_peer = [
            self._received[at].nbytes
            for at in self._in
            if self._edges[at].peer == peer and self._edges[at].receive_tag == status.tag
        ]
        return failed(error, peer, of_peer[0] if of_peer else 0)


def _ordered(edges: Sequence[Edge], tag: str) -> list[int]:
    """The places of edges with a neighbour, in the order of their tags."""
    keys = {
        place: (getattr(edge, tag), edge.peer) for place, edge in enumerate(edges) if edge.peer >= 0
    }
    if len(set(keys.values())) < len(keys):
        number, peer = next(key for key in keys.values() if [*keys.values()].count(key) > 1)
        raise ValueError(f"halo: two edges with rank {peer} have the same tag {number}")
    return sorted(keys, key=keys.__getitem__)


def _side_by_side(view: NDArray[Any]) -> NDArray[Any]:
    """The view itself, or an array of its shape whose elements lie side by side."""
    return view if view.flags.c_contiguous else np.empty_like(view, order="C")

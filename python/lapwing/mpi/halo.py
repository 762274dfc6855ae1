"""Edges that travel between neighbours while the interior is computed."""

import contextlib
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from mpi4py import MPI
from numpy.typing import NDArray

from .._core import Plan
from .edge import Edge, Side, edges_at, ordered_by, parts_of_edge, side_by_side
from .failure import ending_job
from .requests import failed, require_size
from .window import Poller


class Halo:
    """Exchanges edges with neighbours, again and again, as an iteration over a grid does.

        halo = mpi.Halo(comm, sides, plan)
        for _ in range(steps):
            halo.exchange(interior)
            border()

    Collective over neighbours: both sides of an edge exchange equally often, by the same plan. The
    neighbour may be a `Halo` of C++ with a two-sided transport.
    """

    def __init__(
        self,
        comm: MPI.Comm,
        sides: Sequence[Side | Edge],
        plan: Plan | None = None,
        second: Sequence[Side | Edge] | None = None,
    ) -> None:
        """sides: of a grid, in pairs of opposite ones; or edges of any graph, with tags.
        plan: for the pattern "halo": edges are cut as its messages are, in the same proportions,
            and it says how often `poll()` in the interior lets messages advance. None: an edge is
            one message, and nothing is polled.
        second: the sides of a second buffer, for a grid in two, of which a step reads one and
            fills the other: exchanges use the first ones and the second ones by turns.

        Raises ValueError if two edges with one neighbour have the same tag, or if the sides of the
        buffers differ in more than their memory.
        """
        buffers = [edges_at(each) for each in (sides, second) if each is not None]
        self._buffers = [_Buffer(comm, edges, plan) for edges in buffers]
        self._now = self._buffers[0]
        if len({buffer.shape for buffer in self._buffers}) > 1:
            raise ValueError("halo: the sides of its two buffers differ")
        self._interval = plan.poll_interval if plan is not None else 0.0
        self._missing: list[int] = []  # of the messages of each edge, in this exchange
        self._waiting = 0
        self._arrived: deque[int] = deque()
        self._exchanges = 0

    def exchange(
        self,
        interior: Callable[[], object],
        border: Callable[[int], object] | None = None,
        pack: Callable[[int], object] | None = None,
    ) -> None:
        """Initiate all edges, call `interior()`, and return when all have arrived and left.

        border: called with the place of each edge as soon as that has arrived, in no certain order.
            Edges without a neighbour have a call, too.
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
            self._complete(border or (lambda _: None))
        self._exchanges += 1

    def _initiate(self, pack: Callable[[int], object] | None) -> None:
        self._now.wait()  # an exception may have ended the last exchange
        self._now = self._buffers[self._exchanges % len(self._buffers)]
        self._missing = list(self._now.messages_of)
        self._arrived.clear()
        self._waiting = len(self._now.receives)
        self._now.start(pack)

    def _complete(self, border: Callable[[int], object]) -> None:
        for place, messages in enumerate(self._now.messages_of):
            if messages == 0:
                border(place)
        while self._waiting > 0 or self._arrived:
            if not self._arrived:
                self._note(*self._now.wait_any())
                continue
            place = self._arrived.popleft()
            self._now.unpack(place)
            border(place)
        MPI.Request.Waitall(self._now.sends)

    def _progress(self) -> None:
        """Called by `poll()`. A test lets all messages advance."""
        while self._waiting > 0:
            which, status = self._now.test_any()
            if which is None:
                return
            self._note(which, status)
        MPI.Request.Testall(self._now.sends)

    def _note(self, which: int, status: MPI.Status) -> None:
        """A message has arrived."""
        place, part = self._now.incoming[which]
        require_size(status, self._now.edges[place].peer, part.nbytes)
        self._waiting -= 1
        self._missing[place] -= 1
        if self._missing[place] == 0:
            self._arrived.append(place)


class _Buffer:
    """The messages of all edges, in one of the memories that exchanges use by turns."""

    def __init__(self, comm: MPI.Comm, edges: list[Edge], plan: Plan | None) -> None:
        self.edges = edges
        self.shape = tuple((edge.peer, edge.send.nbytes, edge.receive.nbytes) for edge in edges)
        self.receives: list[MPI.Prequest] = []
        self.sends: list[MPI.Prequest] = []
        self._sent = [side_by_side(edge.send) for edge in edges]
        self._received = [side_by_side(edge.receive) for edge in edges]
        # Of each message its edge's place and its memory.
        self.incoming = _messages(ordered_by("receive_tag", edges), self._received, plan)
        self._outgoing = _messages(ordered_by("send_tag", edges), self._sent, plan)
        self.messages_of = [0] * len(edges)  # how many arrive at each edge; 0: no neighbour
        for place, part in self.incoming:
            self.messages_of[place] += 1
            edge = edges[place]
            self.receives.append(comm.Recv_init([part, MPI.BYTE], edge.peer, edge.receive_tag))
        for place, part in self._outgoing:
            edge = edges[place]
            self.sends.append(comm.Send_init([part, MPI.BYTE], edge.peer, edge.send_tag))

    def __del__(self) -> None:
        if MPI.Is_finalized():
            return
        for request in [*self.receives, *self.sends]:
            with contextlib.suppress(MPI.Exception):
                request.Wait()
            request.Free()

    def start(self, pack: Callable[[int], object] | None) -> None:
        """Initiate all messages. An edge is packed before its first one."""
        for request in self.receives:
            request.Start()
        packed: set[int] = set()
        for (place, _), request in zip(self._outgoing, self.sends, strict=True):
            if place not in packed:
                packed.add(place)
                if pack is not None:
                    pack(place)
                if self._sent[place] is not self.edges[place].send:
                    self._sent[place][...] = self.edges[place].send
            request.Start()

    def unpack(self, place: int) -> None:
        """Bring what has arrived at an edge to where it belongs."""
        if self._received[place] is not self.edges[place].receive:
            self.edges[place].receive[...] = self._received[place]

    def wait(self) -> None:
        """Return when nothing is under way."""
        MPI.Request.Waitall([*self.receives, *self.sends])

    def wait_any(self) -> tuple[int, MPI.Status]:
        """The number of a message that has arrived, when one has."""
        status = MPI.Status()
        try:
            return MPI.Request.Waitany(self.receives, status), status
        except MPI.Exception as error:
            raise self._failure(error, status) from None

    def test_any(self) -> tuple[int | None, MPI.Status]:
        """The number of a message that has arrived; None: no other one has."""
        status = MPI.Status()
        try:
            which, done = MPI.Request.Testany(self.receives, status)
        except MPI.Exception as error:
            raise self._failure(error, status) from None
        return (which if done else None), status

    def _failure(self, error: MPI.Exception, status: MPI.Status) -> Exception:
        of_edge = [
            part.nbytes
            for place, part in self.incoming
            if (self.edges[place].peer, self.edges[place].receive_tag)
            == (status.source, status.tag)
        ]
        return failed(error, status.source, of_edge[0] if of_edge else 0)


def _messages(
    order: Sequence[int], memory: Sequence[NDArray[Any]], plan: Plan | None
) -> list[tuple[int, NDArray[Any]]]:
    """The place and part of each message: the first ones of all edges, then the second ones.

    Those of an edge have one tag, and arrive in the order in which they are sent.
    """
    parts = {place: parts_of_edge(memory[place], plan) for place in order}
    most = max(map(len, parts.values()), default=0)
    return [
        (place, parts[place][message])
        for message in range(most)
        for place in order
        if message < len(parts[place])
    ]

"""What neighbours exchange, and how a plan cuts it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core import Plan


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


def edges_at(sides: Sequence[Side | Edge]) -> list[Edge]:
    """The edges at these sides. What a side receives, the neighbour sends from the opposite one."""

    def edge(place: int, side: Side | Edge) -> Edge:
        if isinstance(side, Edge):
            return side
        opposite = place if len(sides) == 1 else place ^ 1
        return Edge(side.peer, side.send, side.receive, place, opposite)

    return [edge(place, side) for place, side in enumerate(sides)]


def ordered_by(tag: str, edges: Sequence[Edge]) -> list[int]:
    """The places of edges with a neighbour, in the order of their tags.

    Raises ValueError if two edges with one neighbour have the same tag.
    """
    keys = {
        place: (getattr(edge, tag), edge.peer) for place, edge in enumerate(edges) if edge.peer >= 0
    }
    if len(set(keys.values())) < len(keys):
        number, peer = next(key for key in keys.values() if [*keys.values()].count(key) > 1)
        raise ValueError(f"halo: two edges with rank {peer} have the same tag {number}")
    return sorted(keys, key=keys.__getitem__)


def parts_of_edge(memory: NDArray[Any], plan: Plan | None) -> list[NDArray[Any]]:
    """The parts of an edge's contiguous memory that travel as a message each.

    The messages of a plan are for edges of one length: longer and shorter ones are cut in the same
    proportions, as `parts_of_edge` of C++ does it. Without a plan the edge is one message.
    """
    elements = memory.reshape(-1)
    if plan is None:
        return [elements]
    sizes = plan.messages
    share = elements.size / sum(sizes)
    ends = [_nearest(bytes * share) for bytes in accumulate(sizes)]
    starts = [0, *ends[:-1]]
    return [elements[start:end] for start, end in zip(starts, ends, strict=True) if end > start]


def _nearest(value: float) -> int:
    """The nearest integer; the greater one of two, as `llround` of C++."""
    whole = int(value)
    return whole + (value - whole >= 0.5)


def side_by_side(view: NDArray[Any]) -> NDArray[Any]:
    """The view itself, or an array of its shape whose elements lie side by side."""
    return view if view.flags.c_contiguous else np.empty_like(view, order="C")

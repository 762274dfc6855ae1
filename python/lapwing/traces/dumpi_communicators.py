"""Communicators of a program of which each rank only says how it made them.

A rank names communicators and groups by numbers of its own. The n-th communicator made of another
is the same for all ranks of that other. So their information on it belongs together.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

from ..errors import LapwingError
from .dumpi_file import Call

NULL, WORLD, SELF = 1, 2, 3  # numbers of communicators
_EMPTY = 2  # of a group

MAKERS = ("Comm_dup", "Comm_create", "Comm_split", "Cart_create", "Cart_sub", "Graph_create")
GROUPS = (
    "Comm_group",
    "Group_union",
    "Group_intersection",
    "Group_difference",
    "Group_incl",
    "Group_excl",
    "Group_range_incl",
    "Group_range_excl",
)
# Those that join two groups, and processes that are made later, are not known.
STRANGE = ("Intercomm_create", "Intercomm_merge", "Comm_accept", "Comm_connect")

Members = tuple[int, ...]


@dataclass(eq=False, slots=True)
class Communicator:
    """A communicator. members: ranks of the program; dims: of a grid, else empty."""

    context: int
    members: Members
    dims: tuple[int, ...] = ()


class _Wrong(Exception):
    """What is wrong with a call."""


@dataclass
class _Rank:
    """What a rank has made: by its numbers, and of each communicator how many."""

    calls: deque[Call]
    known: dict[int, Communicator]
    groups: dict[int, Members] = field(default_factory=lambda: {_EMPTY: ()})
    made: dict[Communicator, int] = field(default_factory=dict)
    found: dict[int, Communicator | None] = field(default_factory=dict)

    def communicator(self, number: int) -> Communicator:
        if number not in self.known:
            raise _Wrong(f"names communicator {number}, which is not known")
        return self.known[number]

    def group(self, number: int) -> Members:
        if number not in self.groups:
            raise _Wrong(f"names group {number}, which is not known")
        return self.groups[number]


def communicators(
    trace: str, calls: Sequence[Sequence[Call]]
) -> list[dict[int, Communicator | None]]:
    """For each rank, by the number of the call that makes it, the communicator that is made.

    calls: of each rank those of MAKERS and GROUPS, in order. None: the rank is not in it. Raises
    LapwingError, which names the trace, rank and call.
    """
    world = Communicator(0, tuple(range(len(calls))))
    ranks = [
        _Rank(deque(each), {WORLD: world, SELF: Communicator(1, (rank,))})
        for rank, each in enumerate(calls)
    ]
    arrived: dict[tuple[Communicator, int], dict[int, Any]] = {}
    contexts = 2
    ready = list(range(len(ranks)))
    while ready:
        rank = ready.pop()
        here = ranks[rank]
        try:
            place = _arrive(here)
        except _Wrong as error:
            raise LapwingError(_where(trace, rank, here) + str(error)) from None
        if place is None:
            continue
        old = place[0]
        said = arrived.setdefault(place, {})
        said[rank] = here.calls[0]
        if len(said) < len(old.members):
            continue
        try:
            made = _make(old, said, ranks)
        except _Wrong as error:
            raise LapwingError(_where(trace, rank, here) + str(error)) from None
        for members, dims in dict.fromkeys(each for each in made.values() if each[0]):
            new = Communicator(contexts, members, dims)
            contexts += 1
            for member in members:
                call = said[member]
                ranks[member].found[call.number] = new
                ranks[member].known[call.values["new"]] = new
        for member, call in said.items():
            ranks[member].found.setdefault(call.number, None)
            ranks[member].calls.popleft()
        ready += said
        del arrived[place]
    for rank, here in enumerate(ranks):
        if here.calls:
            raise LapwingError(
                _where(trace, rank, here) + "makes a communicator that other ranks do not make"
            )
    return [here.found for here in ranks]


def _where(trace: str, rank: int, here: _Rank) -> str:
    return f"{trace}: rank {rank}, call {here.calls[0].number}: {here.calls[0].name} "


def _arrive(here: _Rank) -> tuple[Communicator, int] | None:
    """Make groups; return the communicator of which a rank makes another, and the how many-th."""
    while here.calls:
        call = here.calls[0]
        if call.name in MAKERS:
            old = here.communicator(call.values["comm"])
            count = here.made[old] = here.made.get(old, 0) + 1
            if call.name == "Comm_create":
                call.values["members"] = here.group(call.values["group"])
            return old, count
        here.groups[call.values["new"]] = _group(here, call)
        here.calls.popleft()
    return None


def _group(here: _Rank, call: Call) -> Members:
    """The group that a call makes."""
    said = call.values
    if call.name == "Comm_group":
        return here.communicator(said["comm"]).members
    one = here.group(said["one"])
    if "other" in said:
        other = here.group(said["other"])
        if call.name == "Group_union":
            return (*one, *(each for each in other if each not in set(one)))
        keeps = call.name == "Group_intersection"
        both = set(other)
        return tuple(each for each in one if (each in both) == keeps)
    places = said.get("ranks")
    if places is None:
        places = [place for each in said["ranges"] for place in _range(each, len(one))]
    if any(not 0 <= place < len(one) for place in places):
        raise _Wrong(f"names a rank that is not among the {len(one)} of its group")
    if call.name.endswith("incl"):
        return tuple(one[place] for place in places)
    left_out = set(places)
    return tuple(each for place, each in enumerate(one) if place not in left_out)


def _range(said: Sequence[int], size: int) -> range:
    if len(said) != 3 or said[2] == 0 or not all(0 <= each < size for each in said[:2]):
        raise _Wrong(f"has a range that is not among {size} ranks")
    first, last, stride = said
    return range(first, last + (1 if stride > 0 else -1), stride)


def _make(
    old: Communicator, said: dict[int, Call], ranks: list[_Rank]
) -> dict[int, tuple[Members, tuple[int, ...]]]:
    """For each rank the members and the grid of the communicator that all of them make."""
    kinds = sorted({call.name for call in said.values()})
    if len(kinds) > 1:
        raise _Wrong(f"is called where another rank calls {kinds[0]} or {kinds[1]}")
    kind = kinds[0]
    nobody: tuple[Members, tuple[int, ...]] = ((), ())
    if kind == "Comm_dup":
        return dict.fromkeys(said, (old.members, old.dims))
    if kind in ("Comm_split", "Cart_sub"):
        colours = _colours(old, said) if kind == "Comm_split" else _subgrids(old, said)
        parts: dict[Any, list[tuple[int, int, int]]] = {}
        for place, rank in enumerate(old.members):
            colour, key = colours[rank]
            parts.setdefault(colour, []).append((key, place, rank))
        members = {colour: tuple(rank for *_, rank in sorted(at)) for colour, at in parts.items()}
        dims = _kept(old, said) if kind == "Cart_sub" else ()
        return {
            rank: nobody if said[rank].values["new"] == NULL else (members[colours[rank][0]], dims)
            for rank in said
        }
    first = said[old.members[0]].values
    if kind == "Comm_create":
        return {
            rank: (call.values["members"], ()) if rank in call.values["members"] else nobody
            for rank, call in said.items()
        }
    dims = tuple(first["dims"]) if kind == "Cart_create" else ()
    count = prod(dims) if kind == "Cart_create" else first["nodes"]
    if not 0 <= count <= len(old.members):
        raise _Wrong(f"makes a communicator of {count} ranks of one of {len(old.members)}")
    made = old.members[:count]
    return {rank: (made, dims) if rank in made else nobody for rank in said}


def _colours(old: Communicator, said: dict[int, Call]) -> dict[int, tuple[Any, int]]:
    """The colour and the key of each rank; those without a communicator have a colour each."""
    return {
        rank: (
            ("none", rank) if said[rank].values["new"] == NULL else said[rank].values["color"],
            said[rank].values["key"],
        )
        for rank in old.members
    }


def _subgrids(old: Communicator, said: dict[int, Call]) -> dict[int, tuple[Any, int]]:
    """For each rank where it is in the dimensions that are left out: they make the parts."""
    if not old.dims or len(said[old.members[0]].values["remain"]) != len(old.dims):
        raise _Wrong("makes a part of what is no grid of as many dimensions")
    found = {}
    for place, rank in enumerate(old.members):
        coordinates, left = [], place
        for dim in reversed(old.dims):
            coordinates.append(left % dim)
            left //= dim
        remains = said[rank].values["remain"]
        pairs = zip(reversed(coordinates), remains, strict=False)
        found[rank] = (tuple(where for where, stays in pairs if not stays), 0)
    return found


def _kept(old: Communicator, said: dict[int, Call]) -> tuple[int, ...]:
    remains = said[old.members[0]].values["remain"]
    return tuple(dim for dim, stays in zip(old.dims, remains, strict=False) if stays)

"""The places of a program that are worth overlapping, each with all that was observed there."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ...results.call_site import site_name
from ...units import show_seconds, show_size
from .element import BYTE, Element, element_of


@dataclass(frozen=True)
class Side:
    """What a rank exchanges with one neighbour: tags, and bytes that it sends and receives.

    phase: how many come before it; they may bring the data that it sends.
    """

    rank: int
    peer: int
    send_tag: int
    receive_tag: int
    send: int
    receive: int
    phase: int


@dataclass(frozen=True)
class Site:
    """Exchanges that begin at one call: one entry of the record, or one for each class of ranks.

    number: its place among those worth it, from 1.  entries: of the record, all with disjoint
    ranks.  calls: of the whole record.  ranks: of the program.
    """

    number: int
    entries: list[dict[str, Any]]
    calls: list[dict[str, Any]]
    ranks: int

    @property
    def first(self) -> dict[str, Any]:
        """The entry with the most bytes, of those worth it."""
        worth = [entry for entry in self.entries if entry["verdict"] == "worth it"]
        return max(worth, key=lambda entry: int(entry["volume"]))

    @property
    def plan(self) -> dict[str, Any] | None:
        """How to overlap it, if the planner knows the pattern."""
        found: dict[str, Any] | None = self.first["plan"]
        return found

    @property
    def fortran(self) -> bool:
        """Whether a Fortran program calls."""
        return bool(self.calls[self.first["call"]]["language"] == "Fortran")

    @property
    def element(self) -> Element:
        """What is exchanged."""
        names = {entry["element"] for entry in self.entries}
        if len(names) != 1:
            return BYTE
        plan = self.plan
        sizes = [plan["compact"]["volume"]] if plan and self.first["pattern"] != "halo" else []
        sides = [size for side in self.sides() for size in (side.send, side.receive)]
        return element_of(names.pop(), *sizes, *sides)

    @property
    def saved(self) -> dict[str, float]:
        """The saving of one exchange: if ranks differ, the least of theirs."""
        several = [entry["saved"] for entry in self.entries if entry["verdict"] == "worth it"]
        least = min(several, key=lambda saved: float(saved["seconds"]))
        return {**least, "high": max(saved["high"] for saved in several)}

    def words(self) -> str:
        """What the site is, costs and saves, in words."""
        first, saved = self.first, self.saved
        calls = [self.calls[call] for call in (first["call"], *first["members"])]
        where = ", ".join(dict.fromkeys(site_name(call) for call in calls))
        spent = first["initiating"]["seconds"] + first["waiting"]["seconds"]
        varies = first["operation"] != "messages" and calls[0]["routine"].endswith(("v", "w"))
        in_all = show_seconds(saved["seconds"] * first["count"])
        return (
            f"{self.number}: {first['pattern']} of {show_size(first['volume'])}: {where}. A rank "
            f"does it {first['count']:.4g} times, each {show_seconds(spent)} in calls. Overlapped, "
            f"each saves {show_seconds(saved['seconds'])} ({show_seconds(saved['low'])} to "
            f"{show_seconds(saved['high'])}), all of them {in_all}."
            + (" Sizes differ from rank to rank; the plan is for their mean." if varies else "")
        )

    def sides(self) -> list[Side]:
        """What each rank exchanges with each neighbour, by rank."""
        sent: dict[tuple[int, int], list[_Message]] = defaultdict(list)
        for rank, each in self._messages():
            if each["sends"] and each["peer"] is not None:
                sent[rank, int(each["peer"])].append(_message(each))
        if self.peers_are_ranks():
            return [
                side
                for rank, peer in sorted({way for a, b in sent for way in ((a, b), (b, a))})
                for side in _paired(rank, peer, sent.get((rank, peer)), sent.get((peer, rank)))
            ]
        received: dict[tuple[int, int], list[_Message]] = defaultdict(list)
        for rank, each in self._messages():
            if not each["sends"] and each["peer"] is not None:
                received[rank, int(each["peer"])].append(_message(each))
        return [
            side
            for rank, peer in sorted({*sent, *received})
            for side in _paired(rank, peer, sent.get((rank, peer)), received.get((rank, peer)))
        ]

    def peers_are_ranks(self) -> bool:
        """Whether peers are ranks of the whole program: each names those that name it.

        If not, the messages are of a smaller communicator, or the peers' calls are others.
        """
        ways = {
            (rank, int(each["peer"]))
            for rank, each in self._messages()
            if each["sends"] and each["peer"] is not None
        }
        return bool(ways) and all(
            ((rank, peer) if each["sends"] else (peer, rank)) in ways
            for rank, each in self._messages()
            for peer in [each["peer"]]
            if peer is not None
        )

    def _messages(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """The rank, and what it sends or receives, of all of them."""
        for entry in self.entries:
            for of_rank in entry["messages_of_ranks"]:
                for each in of_rank["messages"]:
                    yield int(of_rank["rank"]), each


_Message = tuple[int, int, int]  # phase, tag and bytes


def _message(each: dict[str, Any]) -> _Message:
    return int(each["phase"]), max(0, int(each["tag"] or 0)), round(each["bytes"])


def _paired(
    rank: int, peer: int, out: list[_Message] | None, back: list[_Message] | None
) -> list[Side]:
    """The sides between two ranks: what has no counterpart gets an empty one, of the same tag."""
    sides = []
    for phase in sorted({each[0] for each in (*(out or []), *(back or []))}):
        there, here = (sorted(m[1:] for m in way or [] if m[0] == phase) for way in (out, back))
        there += [(tag, 0) for tag, _ in here[len(there) :]]
        here += [(tag, 0) for tag, _ in there[len(here) :]]
        sides += [
            Side(rank, peer, sends[0], receives[0], sends[1], receives[1], phase)
            for sends, receives in zip(there, here, strict=True)
        ]
    return sides


def sites_of(document: dict[str, Any]) -> list[Site]:
    """The sites of a ranked record that are worth overlapping, those that save most first."""
    groups: list[list[dict[str, Any]]] = []
    # Those worth it come first; what other ranks do at the same call belongs to them.
    for entry in sorted(document["exchanges"], key=lambda each: each["verdict"] != "worth it"):
        group = next((group for group in groups if _belongs(entry, group)), None)
        if group is not None:
            group.append(entry)
        elif entry["verdict"] == "worth it":
            groups.append([entry])
    return [
        Site(number, group, document["calls"], int(document["ranks"]))
        for number, group in enumerate(groups, 1)
    ]


def _belongs(entry: dict[str, Any], group: list[dict[str, Any]]) -> bool:
    """Whether other ranks do at the same call what those of the group do."""
    first = group[0]
    if (entry["call"], entry["operation"]) != (first["call"], first["operation"]):
        return False
    return bool(_ranks_of(entry)) and all(not (_ranks_of(entry) & _ranks_of(o)) for o in group)


def _ranks_of(entry: dict[str, Any]) -> set[int]:
    return {int(each["rank"]) for each in entry["messages_of_ranks"]}

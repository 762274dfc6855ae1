"""What a recorded program would save if exchanges of it were hidden behind computation."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Literal

from .. import _core
from .._core import (
    ExchangeSite,
    Overlap,
    OverlapSide,
    Profile,
    Recording,
    Replay,
    ReplayOptions,
)
from ..errors import LapwingError
from ..results.call_site import site_name
from .recordings import description_of
from .replays import complaints, options_of, placed_machine_of

# Of "all" sites, those are tried beside which a larger share of the program is computed: no more
# than that can be hidden.
_SHARE = 0.01
# What is cut has up to so many pieces; on both sides, two of them are under way.
MOST_PIECES = 32
_WINDOW = 2
# Together, so many of the best ways of each site are tried.
_BEST = 3
_SENDS_NOTHING = "barrier"
# A complaint names so many sites.
_TOLD = 5


@dataclass(frozen=True)
class _Group:
    """Exchanges that are overlapped in one way: of a call site, and some or all size classes."""

    site: int
    size_classes: tuple[int, ...]
    collective: str | None
    count: int
    in_calls: int
    before: int
    after: int

    @classmethod
    def of(cls, parts: Sequence[ExchangeSite]) -> "_Group":
        """Exchanges of several size classes at one site."""
        return cls(
            parts[0].site,
            tuple(part.size_class for part in parts),
            parts[0].collective,
            *(
                sum(getattr(part, name) for part in parts)
                for name in ("count", "in_calls", "before", "after")
            ),
        )

    def overlap(self, side: OverlapSide, pieces: int) -> Overlap:
        """One way to overlap them."""
        classes = sum(1 << size_class for size_class in self.size_classes)
        return Overlap(side=side, pieces=pieces, window=min(_WINDOW, pieces), size_classes=classes)

    def sides(self, behind: OverlapSide | None) -> list[OverlapSide]:
        """Those on which there is computation.  behind: the only one that counts, unless None."""
        computed = {OverlapSide.before: self.before, OverlapSide.after: self.after}
        return [side for side, time in computed.items() if time > 0 and behind in (None, side)]

    def beside(self, side: OverlapSide) -> int:
        """Nanoseconds of the computation that hides them, of all ranks."""
        if side == OverlapSide.both:
            return self.before + self.after
        return self.before if side == OverlapSide.before else self.after


@dataclass(frozen=True)
class _Way:
    """How exchanges overlap, and the saving of each alone, nanoseconds."""

    overlap: Overlap
    saved: float


class _WhatIf:
    """Simulates a recording with some of its exchanges overlapped."""

    def __init__(
        self,
        recording: Recording,
        machine: dict[str, Any],
        options: ReplayOptions,
    ) -> None:
        self._recording = recording
        self._machine = machine
        self._options = options
        played = self._play({})
        self.now = max(played.simulation.finish_list_ns())
        self.recorded = played.longest * 1e9

    def time(self, overlaps: Mapping[int, Overlap]) -> float:
        """Nanoseconds that the program takes; infinite if it does not end so.

        That is if a later piece that it sends is needed for an earlier one that it awaits.
        """
        try:
            return max(self._play(overlaps).simulation.finish_list_ns())
        except _core.Deadlock:
            return math.inf

    def _play(self, overlaps: Mapping[int, Overlap]) -> Replay:
        self._options.overlaps = dict(overlaps)
        return _core.replay(self._recording, self._options, trace=False, **self._machine)

    def ways(
        self, group: _Group, behind: OverlapSide | None = None, most_pieces: int = MOST_PIECES
    ) -> list[_Way]:
        """Ways to overlap exchanges, the best first.

        On each side it tries one piece, two, and twice as many as long as that saves more. behind:
        on this side alone, unless None.
        """
        sides = group.sides(behind)
        tried = [self._way(group, side, 1) for side in sides]
        if len(sides) > 1:
            sides.append(OverlapSide.both)
        for side in sides:
            best, pieces = -math.inf, 2
            while pieces <= most_pieces:
                tried.append(self._way(group, side, pieces))
                if tried[-1].saved <= best:
                    break
                best, pieces = tried[-1].saved, 2 * pieces
        return sorted(tried, key=lambda way: -way.saved)

    def hidden(self, group: _Group) -> float:
        """Nanoseconds that the best way saves, no more than a rank computes in the mean.

        Messages stay whole, as the advice to programmers does not cut them.
        """
        saved = (
            min(way.saved, group.beside(way.overlap.side) / self._recording.ranks)
            for way in self.ways(group, most_pieces=MOST_PIECES if group.collective else 1)
        )
        return max([0.0, *saved])

    def _way(self, group: _Group, side: OverlapSide, pieces: int) -> _Way:
        overlap = group.overlap(side, pieces)
        return _Way(overlap, self.now - self.time({group.site: overlap}))

    def together(self, ways: Mapping[int, Sequence[_Way]]) -> dict[int, Overlap]:
        """Ways of several sites at once: each site's best beside those chosen before it."""
        chosen: dict[int, Overlap] = {}
        best = self.now
        for site in sorted(ways, key=lambda each: -ways[each][0].saved):
            for way in ways[site][:_BEST]:
                time = self.time({**chosen, site: way.overlap})
                if time < best:
                    best, chosen[site] = time, way.overlap
        return chosen


def hiding(
    recording: Recording,
    sites: Literal["all"] | Sequence[str],
    *,
    parameters: Mapping[str, int] | str | None = None,
    profile: Profile | None = None,
    ppn: int = 1,
    topology: str | None = None,
    placement: str | None = None,
    library: str | None = None,
    algorithms: Mapping[str, str] | None = None,
    computation: float = 1.0,
    behind: Literal["before", "after"] | None = None,
    pieces: int = MOST_PIECES,
) -> dict[str, Any]:
    """What is saved if the exchanges of call sites hide behind the computation beside them.

    sites: "all" beside which a hundredth of the program is computed, or words that name some: a
    part of what `lapwing replay` prints for a call site, or its number in the recording. behind:
    the only side on which their data leave computation to hide behind; None: either. pieces: of an
    exchange, at most. The other parameters are those of `replay`. Raises LapwingError if no
    exchange begins at such a site.
    """
    machine = placed_machine_of(parameters, profile, ppn, topology, placement)
    options = options_of(recording, library, algorithms, computation)
    with complaints(recording):
        groups = [_Group.of(parts) for parts in _by_site(recording, options)]
        names = description_of(recording).get("sites", [])
        what_if = _WhatIf(recording, machine, options)
        if sites == "all":
            least = _SHARE * what_if.now * recording.ranks
            chosen = [each for each in groups if (each.before + each.after) * computation >= least]
        else:
            chosen = _named(groups, names, sites)
        side = getattr(OverlapSide, behind) if behind else None
        ways = {group.site: what_if.ways(group, side, pieces) for group in chosen}
        useful = {site: tried for site, tried in ways.items() if tried and tried[0].saved > 0}
        together = what_if.together(useful)
        saved = what_if.now - what_if.time(together)
    told = [
        _document(each, names[each.site], ways[each.site], together.get(each.site), recording.ranks)
        for each in chosen
    ]
    return {
        "saved": {"seconds": saved * 1e-9},
        "sites": sorted(told, key=lambda each: -each["saved"]["seconds"]),
    }


def hiding_by_size(recording: Recording, profile: Profile) -> list[dict[str, Any]]:
    """What exchanges of each call site save, those of several sizes apart, on a measured machine.

    Of each `call`, its number in the recording; the `size_classes` of its messages, numbers of bits
    of their bytes; seconds `saved`; and `off`, seconds by which the simulated time of the program
    as it is differs from the recorded time. Exchanges of which no rank has two sizes are together:
    ranks have other numbers of neighbours. Exchanges beside less than a hundredth of the
    computation do not count. A saving is at most what a rank computes beside them in the mean. More
    would come from another algorithm, or another order of messages.
    """
    machine = placed_machine_of(None, profile, 1, None, None)
    options = options_of(recording, None, None, 1.0)
    with complaints(recording):
        groups = []
        for parts in _by_site(recording, options):
            apart = sum(part.ranks for part in parts) > recording.ranks
            groups += [_Group.of([part]) for part in parts] if apart else [_Group.of(parts)]
        what_if = _WhatIf(recording, machine, options)
        off = abs(what_if.now - what_if.recorded) * 1e-9
        # What lies before exchanges is all that is computed.
        least = _SHARE * sum(group.before for group in groups)
        return [
            {
                "call": group.site,
                "size_classes": list(group.size_classes),
                "saved": {"seconds": what_if.hidden(group) * 1e-9},
                "off": {"seconds": off},
            }
            for group in groups
            if group.before + group.after >= least
        ]


def _by_site(recording: Recording, options: ReplayOptions) -> list[list[ExchangeSite]]:
    """The exchanges of each call site that send something, by size classes."""
    sending = (
        each
        for each in _core.exchange_sites(recording, options)
        if each.collective != _SENDS_NOTHING
    )
    return [list(parts) for _, parts in groupby(sending, key=lambda each: each.site)]


def _named(
    sites: Sequence[_Group], names: Sequence[dict[str, Any]], words: Sequence[str]
) -> list[_Group]:
    """The sites that words name."""
    chosen: dict[int, _Group] = {}
    for word in words:
        fitting = [
            site for site in sites if word in site_name(names[site.site]) or word == str(site.site)
        ]
        if not fitting:
            there = ", ".join(f"'{site_name(names[site.site])}'" for site in sites[:_TOLD])
            raise LapwingError(
                f"no exchange begins at '{word}'; "
                + (f"some do at {there}" if there else "none is")
            )
        chosen.update((site.site, site) for site in fitting)
    return list(chosen.values())


def _document(
    site: _Group,
    name: dict[str, Any],
    ways: Sequence[_Way],
    together: Overlap | None,
    ranks: int,
) -> dict[str, Any]:
    """What is said of a site; times are those of a rank, on average."""
    best = ways[0] if ways and ways[0].saved > 0 else None

    def of_a_rank(nanoseconds: float) -> dict[str, float]:
        return {"seconds": nanoseconds * 1e-9 / ranks}

    return {
        "number": site.site,
        "site": name,
        "operation": site.collective or "messages",
        "count": site.count,
        "in_calls": of_a_rank(site.in_calls),
        "before": of_a_rank(site.before),
        "after": of_a_rank(site.after),
        "saved": {"seconds": best.saved * 1e-9 if best else 0.0},
        "way": _way(best.overlap) if best else None,
        "way_together": _way(together) if together else None,
    }


def _way(overlap: Overlap) -> dict[str, Any]:
    return {"side": overlap.side.name, "pieces": overlap.pieces, "window": overlap.window}

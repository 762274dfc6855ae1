"""The plain table of decisions that the writers of files take, whoever decided."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ...errors import LapwingError


@dataclass(frozen=True)
class Algorithm:
    """An algorithm by our name, with its parameters; None, as the library has them.

    segment: bytes of a segment.  radix: of a tree, or its fan-out.  window: requests that a rank
    has under way at once.
    """

    name: str
    segment: int | None = None
    radix: int | None = None
    window: int | None = None


@dataclass(frozen=True)
class Decision:
    """What a library is to do on some ranks with messages of some sizes.

    ranks: first and last number of ranks, None if there is no last.  sizes: bytes as predictions
    count them, from the first up to below the second, None if there is no end.  algorithm: None,
    the library's own choice, as wherever no decision is.  ppn: ranks on each node; None, any.
    """

    operation: str
    ranks: tuple[int, int | None]
    sizes: tuple[int, int | None]
    algorithm: Algorithm | None
    ppn: int | None = None


# The sizes from which each algorithm holds, up to the next one's; the first size is 0.
Steps = tuple[tuple[int, Algorithm | None], ...]
OWN_CHOICE: Steps = ((0, None),)


@dataclass(frozen=True)
class Bracket:
    """What holds for an operation from `first` to `last` ranks; None if there is no last.

    by_ppn: for each number of ranks on a node that was decided for; of None, for all.
    """

    first: int
    last: int | None
    by_ppn: Mapping[int | None, Steps]


def brackets(decisions: Iterable[Decision]) -> dict[str, list[Bracket]]:
    """The decisions by operation and ascending ranks; operations without an algorithm are left out.

    Raises LapwingError for a decision without ranks or sizes, and for two about the same.
    """
    by_operation: dict[str, list[Decision]] = {}
    for decision in decisions:
        _check(decision)
        by_operation.setdefault(decision.operation, []).append(decision)
    made = {operation: _brackets(several) for operation, several in by_operation.items()}
    return {operation: several for operation, several in made.items() if several}


def steps(bracket: Bracket, operation: str, format_name: str) -> Steps:
    """The steps of a bracket in a format that does not know how ranks are placed.

    Raises LapwingError if they depend on the ranks on a node.
    """
    several = list(bracket.by_ppn.values())
    if any(other != several[0] for other in several):
        ppns = ", ".join(sorted("any" if ppn is None else str(ppn) for ppn in bracket.by_ppn))
        raise LapwingError(
            f"{operation} on {bracket.first} ranks: {format_name} cannot tell ranks on a node "
            f"apart, and there are decisions for {ppns}; keep one of them"
        )
    return several[0]


def with_gaps(several: Sequence[Bracket]) -> list[Bracket]:
    """The brackets, with the library's own choice for all ranks without decisions, from 0 on."""
    made: list[Bracket] = []
    after: int | None = 0
    for bracket in several:
        assert after is not None
        if bracket.first > after:
            made.append(Bracket(after, bracket.first - 1, {None: OWN_CHOICE}))
        made.append(bracket)
        after = None if bracket.last is None else bracket.last + 1
    if after is not None:
        made.append(Bracket(after, None, {None: OWN_CHOICE}))
    return made


def _check(decision: Decision) -> None:
    first, last = decision.ranks
    start, end = decision.sizes
    where = f"{decision.operation} on {first} ranks from {start} bytes on"
    if first < 1 or (last is not None and last < first):
        raise LapwingError(f"{where}: no ranks from {first} to {last}")
    if start < 0 or (end is not None and end <= start):
        raise LapwingError(f"{where}: no sizes from {start} to below {end}")
    if decision.ppn is not None and decision.ppn < 1:
        raise LapwingError(f"{where}: {decision.ppn} ranks on a node")


def _brackets(decisions: Sequence[Decision]) -> list[Bracket]:
    """Brackets between all numbers of ranks at which any decision begins or ends."""
    cuts = {decision.ranks[0] for decision in decisions}
    cuts |= {decision.ranks[1] + 1 for decision in decisions if decision.ranks[1] is not None}
    firsts = sorted(cuts)
    made: list[Bracket] = []
    for i, first in enumerate(firsts):
        last = firsts[i + 1] - 1 if i + 1 < len(firsts) else None
        here = [d for d in decisions if d.ranks[0] <= first and _reaches(d.ranks[1], last)]
        by_ppn = {ppn: _steps(here, ppn) for ppn in dict.fromkeys(d.ppn for d in here)}
        if None in by_ppn and len(by_ppn) > 1:
            raise LapwingError(
                f"{here[0].operation} on {first} ranks: decisions for any number of ranks on a "
                "node stand beside decisions for some"
            )
        if all(one == OWN_CHOICE for one in by_ppn.values()):
            continue
        made.append(Bracket(first, last, by_ppn))
    return made


def _reaches(last: int | None, until: int | None) -> bool:
    return last is None or (until is not None and last >= until)


def _steps(decisions: Sequence[Decision], ppn: int | None) -> Steps:
    """The decisions for `ppn` by size, without gaps."""
    made: list[tuple[int, Algorithm | None]] = []
    after: int | None = 0

    def add(size: int, algorithm: Algorithm | None) -> None:
        if not made or made[-1][1] != algorithm:
            made.append((size, algorithm))

    for decision in sorted((d for d in decisions if d.ppn == ppn), key=lambda d: d.sizes[0]):
        start, end = decision.sizes
        if after is None or start < after:
            raise LapwingError(
                f"{decision.operation} on {decision.ranks[0]} ranks: "
                f"two decisions for {start} bytes"
            )
        if start > after:
            add(after, None)
        add(start, decision.algorithm)
        after = end
    if after is not None:
        add(after, None)
    return tuple(made)

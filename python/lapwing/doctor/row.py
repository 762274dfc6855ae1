"""One measurement of `lapwing-mpi doctor`, and the thresholds to judge it.

A row is an operation, a size and the side that computes; it has the share hidden in each way to use
the operation.
"""

import math
from collections.abc import Iterable
from typing import Any, Literal

Row = dict[str, Any]
Verdict = Literal["fine", "needs help", "broken"]

# Thresholds, shares of the communication. Below BROKEN, even in the best way to use it, an
# operation does not overlap. From FINE on there is nothing to do.
BROKEN = 0.5
FINE = 0.8
JUDGED_FROM = 32 << 10  # bytes; smaller messages are mostly overhead, which nothing hides
HELPED = 0.1  # a share must gain at least this for an advice to have helped
TURNS = 1.3  # both ways at once take turns if they take over this many times as long as one

USES = {
    "unattended": "nothing called",
    "polled": "polled",
    "two_in_flight": "two in flight",
}
SIDES = {"initiator": "sending", "target": "receiving"}


def best(row: Row) -> str:
    """The way to use a row's operation that hides most; the simplest of several."""
    return max(USES, key=lambda use: row[use]["hidden"])


def verdict(rows: Iterable[Row]) -> Verdict:
    """Whether the judged rows overlap, overlap with help, or do not overlap."""
    listed = list(rows)
    if any(map(broken, listed)):
        return "broken"
    return "needs help" if any(row["unattended"]["hidden"] < FINE for row in listed) else "fine"


def broken(row: Row) -> bool:
    """Whether too little is hidden in every way, by more than the error of the measurement."""
    most = row[best(row)]
    return bool(most["hidden"] + min(most["error"], HELPED) < BROKEN)


def helped(before: float, after: float) -> bool:
    """Whether a share has gained enough for an advice to have helped, or to be fine now."""
    return after >= before + HELPED or before < FINE <= after


def bandwidth(row: Row) -> float:
    """Bytes per second of a row's communication alone."""
    seconds = row["unattended"]["communication"]["seconds"]
    return float(row["size"] * row["messages"] / seconds) if seconds > 0 else math.inf

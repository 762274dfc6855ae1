"""One measurement, as `lapwing-mpi doctor` prints it: of an operation, a size and a side that
computes, what was hidden in each way to use it.
"""

import math
from collections.abc import Iterable
from typing import Any, Literal

Row = dict[str, Any]
Verdict = Literal["fine", "needs help", "broken"]

# Thresholds, shares of the communication. Below BROKEN in the best way to use it, a size class does
# not overlap; from FINE on nobody has to do anything.
BROKEN = 0.5
FINE = 0.8
JUDGED_FROM = 32 << 10  # bytes; what is smaller is mostly overhead, which nothing hides
HELPED = 0.1  # what a share has to gain for an advice to have helped
TURNS = 1.3  # times as long as one way alone, from which two ways at once take turns

USES = {
    "unattended": "nothing called",
    "polled": "polled",
    "two_in_flight": "two in flight",
}
SIDES = {"initiator": "sending", "target": "receiving"}


def best(row: Row) -> str:
    """The way to use a row's operation that hides most; the simplest among equals."""
    return max(USES, key=lambda use: row[use]["hidden"])


def verdict(rows: Iterable[Row]) -> Verdict:
    """Of the judged rows: whether overlap is there, there with help, or not there."""
    listed = list(rows)
    if any(map(broken, listed)):
        return "broken"
    return "needs help" if any(row["unattended"]["hidden"] < FINE for row in listed) else "fine"


def broken(row: Row) -> bool:
    """Whether too little is hidden whatever one does, by more than the measurement may be off."""
    most = row[best(row)]
    return bool(most["hidden"] + min(most["error"], HELPED) < BROKEN)


def helped(before: float, after: float) -> bool:
    """Whether a share has gained what is worth an advice, or enough to be fine."""
    return after >= before + HELPED or before < FINE <= after


def bandwidth(row: Row) -> float:
    """Bytes per second of a row's communication alone."""
    seconds = row["unattended"]["communication"]["seconds"]
    return float(row["size"] * row["messages"] / seconds) if seconds > 0 else math.inf

"""What is read of a log, whichever tool wrote it."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from ..measurements.cell import Cell
from .log import Log

# Seconds of half a round trip; bytes a second one way, and both ways together.
Quantity = Literal["half_round_trip", "unidirectional", "bidirectional"]


@dataclass(frozen=True)
class Point:
    """One value of a table between two ranks.

    size: bytes of a message.  value: seconds of a half round trip, else bytes per second.  system:
    where the log says it.
    """

    quantity: Quantity
    size: int
    value: float
    system: str | None = None


@dataclass
class Reading:
    """What a log holds. tool, version: that wrote it; None: unknown.  notes: what was left out."""

    tool: str
    version: str | None = None
    points: list[Point] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def positive(log: Log, line: int, name: str, text: str) -> float:
    """A number greater than 0 in a log. Raises LapwingError with its place."""
    try:
        value = float(text)
    except ValueError:
        raise log.refusal(line, f'{name} is "{text[:40]}", no number') from None
    if not (math.isfinite(value) and value > 0):
        raise log.refusal(line, f"{name} is {text[:40]}: a measured value is greater than 0")
    return value


def whole(log: Log, line: int, name: str, text: str, least: int = 1) -> int:
    """A whole number in a log, from `least` up. Raises LapwingError with its place."""
    if not (text.isascii() and text.isdigit() and len(text) < 19 and int(text) >= least):
        raise log.refusal(line, f'{name} is "{text[:40]}", not a whole number from {least} up')
    return int(text)


def listed(words: Iterable[str], most: int = 4) -> str:
    """Words with commas between them; of many the first ones, and how many more there are."""
    several = list(words)
    more = len(several) - most
    return ", ".join(several[:most]) + (f" and {more} more" if more > 0 else "")

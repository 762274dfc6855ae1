"""What is read of a log, whichever tool wrote it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ..measurements.cell import Cell
from .log import Log

# Seconds of half a round trip; bytes a second of a flood one way, and of floods both ways together;
# the same of single messages exchanged; seconds of the overheads of a send and of a receive;
# seconds, and seconds per byte, that were fitted.
Quantity = Literal[
    "half_round_trip",
    "unidirectional",
    "bidirectional",
    "exchange",
    "send",
    "receive",
    "g",
    "G",
]


_NUMBER = re.compile(r"\d+(\.\d*)?")
# Between these is whatever a benchmark prints, in any unit.
_LEAST, _MOST = 1e-9, 1e18


@dataclass(frozen=True)
class Point:
    """One value of a table between two ranks.

    size: bytes of a message.  value: seconds or bytes per second.  pairs: of ranks that
    communicate at once; the value is of all of them.  system: where the log says it.
    """

    quantity: Quantity
    size: int
    value: float
    pairs: int = 1
    system: str | None = None


@dataclass
class Reading:
    """What a log holds.

    tool, version: that wrote it; None: unknown.  layer: "MPI", or "MPI-CUDA" where messages go from
    a device to another.  within: whether the points are of ranks on one node, as the log and the
    user together say; None: unknown.  notes: what was left out.
    """

    tool: str
    version: str | None = None
    layer: str = "MPI"
    within: bool | None = None
    points: list[Point] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def positive(log: Log, line: int, name: str, text: str) -> float:
    """A number greater than 0 in a log. Raises LapwingError with its place."""
    try:
        value = float(text)
    except ValueError:
        raise log.refusal(line, f'{name} is "{text[:40]}", no number') from None
    if not value > 0:
        raise log.refusal(line, f"{name} is {text[:40]}: a measured value is greater than 0")
    if not _LEAST < value < _MOST:
        raise log.refusal(line, f"{name} is {text[:40]}: nothing that could be measured")
    return value


def microseconds(log: Log, line: int, name: str, text: str) -> float:
    """A time greater than 0 in a log, printed in microseconds, in seconds."""
    return shifted(positive(log, line, name, text), text, -6)


def shifted(value: float, text: str, power: int) -> float:
    """`value`, which is that of `text`, times a power of ten: the float nearest to the decimals."""
    try:
        return float(f"{text}e{power}")
    except ValueError:  # it has an exponent
        return value * 10.0**power


def whole(log: Log, line: int, name: str, text: str, least: int = 1) -> int:
    """A whole number in a log, from `least` up. Raises LapwingError with its place."""
    if not (text.isascii() and text.isdigit() and len(text) < 19 and int(text) >= least):
        raise log.refusal(line, f'{name} is "{text[:40]}", not a whole number from {least} up')
    return int(text)


def looks_like_row(words: list[str], columns: int) -> bool:
    """Whether a line of a log may be a row of a table: it begins with a number, and has a word for
    each column or numbers alone. Launchers print lines like `2 nodes are idle` between rows."""
    numbers = [_NUMBER.fullmatch(word) is not None for word in words]
    return bool(words) and numbers[0] and (len(words) == columns or all(numbers))


def whole_rows(
    log: Log, name: str, columns: Sequence[str], rows: Iterable[tuple[int, list[str]]]
) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a table, with their lines, by the names of their columns.

    name: of the table.  rows: the line and the words of each. Raises LapwingError if the table has
    no header, or for a row as `require_whole_row` does.
    """
    for line, words in rows:
        if not columns:
            raise log.refusal(line, f"no header of columns before this row of {name}")
        require_whole_row(log, line, words, len(columns))
        yield line, dict(zip(columns, words, strict=True))


def require_whole_row(log: Log, line: int, words: list[str], columns: int) -> None:
    """Raise LapwingError for a row without a word for each column, or cut within the last one.

    The last row of a file may be cut. It is if no line end follows, and its last word has fewer
    characters after the point than that of the row before.
    """
    if len(words) != columns:
        how = "cut short" if len(words) < columns else "garbled"
        raise log.refusal(line, f"{how}: {len(words)} words under {columns} columns")
    if line == len(log.lines) > 1 and not log.ended:
        before = log.lines[line - 2].split()
        if len(before) == columns and _decimals(words[-1]) < _decimals(before[-1]):
            raise log.refusal(line, f"cut short within {words[-1]}")


def _decimals(word: str) -> int:
    return len(word.partition(".")[2])


def listed(words: Iterable[str], most: int = 4) -> str:
    """Words with commas between them; of many the first ones, and how many more there are."""
    several = list(words)
    more = len(several) - most
    return ", ".join(several[:most]) + (f" and {more} more" if more > 0 else "")

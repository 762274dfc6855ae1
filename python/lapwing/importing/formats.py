"""The tools whose logs can be read, and which of them wrote a log."""

from collections.abc import Callable
from dataclasses import dataclass

from ..errors import LapwingError
from .conditions import Conditions
from .log import Log
from .reading import Reading
from .table import is_table, read_table


@dataclass(frozen=True)
class Format:
    """How a tool writes.

    name: for people.  recognises: whether it wrote a log.  read: raises LapwingError with the line
    that is wrong.
    """

    name: str
    recognises: Callable[[Log], bool]
    read: Callable[[Log, Conditions], Reading]


# A table comes last: logs of tools have lines of their own to be known by.
FORMATS = [
    Format("a table with a header row and a column size or bytes", is_table, read_table),
]


def read(log: Log, conditions: Conditions) -> Reading:
    """What a log holds, whichever tool wrote it. Raises LapwingError."""
    wrote = next((each for each in FORMATS if each.recognises(log)), None)
    if wrote is None:
        names = "; ".join(each.name for each in FORMATS)
        raise LapwingError(f"{log.path}: of no tool that is known here: there are {names}")
    reading = wrote.read(log, conditions)
    if not reading.points and not reading.cells:
        why = f": {reading.notes[0].removeprefix(f'{log.path}: ')}" if reading.notes else ""
        raise LapwingError(f"{log.path}: holds nothing to import{why}")
    return reading

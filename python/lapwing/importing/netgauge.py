"""Logs of Netgauge's pattern loggp: the file that it writes, and what it prints.

The file has for each size s the times PRTT(1,0,s), a round trip; PRTT(n,0,s), n messages back to
back and one back; and PRTT(n,d,s), the same with a delay d between them (Hoefler, Lichei and Rehm,
Low-Overhead LogGP Parameter Assessment, 2007). So half a round trip is PRTT(1,0,s) / 2, and a
message of a flood takes (PRTT(n,0,s) - PRTT(1,0,s)) / (n - 1). What it prints are the fitted
parameters; its L is half the round trip of the shortest message, overheads included. Times are in
microseconds.

What was fitted counts only where there are no floods to take it from, for fits go over changes of
protocol.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from .conditions import Conditions
from .log import Log
from .reading import Point, Quantity, Reading, microseconds, require_whole_row, whole

_HEADER = re.compile(r"\s*#\s*size n PRTT\(1,0,s\)")
_COLUMNS = ("size", "n", "one", "flood", "delayed", "L", "o_s", "o_r", "g", "G", "lsquares")
_PRINTED = re.compile(
    r"\s*L=(?P<L>\S+)\s+s=(?P<s>\d+)\s+o_s=(?P<o_s>\S+)\s+o_r=(?P<o_r>\S+)\s+g=(?P<g>\S+)"
    r"\s+G=(?P<G>\S+)"
)
_CUT = re.compile(r"\s*L=")
_SWITCH = re.compile(r"we detected a protocol change at (\d+) bytes")


def is_netgauge(log: Log) -> bool:
    """Whether a log is of Netgauge's pattern loggp."""
    return any(_HEADER.match(line) or _PRINTED.match(line) for line in log.lines)


def read_netgauge(log: Log, conditions: Conditions) -> Reading:
    """Half round trips, overheads and bandwidth. Raises LapwingError with the wrong line."""
    reading = Reading("Netgauge loggp")
    without = 0
    switches = [match[1] for line in log.lines if (match := _SWITCH.search(line))]
    rows = list(_file(log) if any(map(_HEADER.match, log.lines)) else _printed(log))
    for row in rows:
        without += _take(log, row, reading)
    if not any(point.quantity == "unidirectional" for point in reading.points):
        _take_fit(rows, reading)
    reading.points = [replace(point, system=conditions.system) for point in reading.points]
    if without:
        reading.notes.append(f"{log.path}: left out {without} values that came out as 0 or less")
    if switches:
        reading.notes.append(
            f"{log.path}: Netgauge saw a change of protocol at {', '.join(switches)} bytes"
        )
    return reading


@dataclass(frozen=True)
class _Row:
    """What is said of one size. Times in seconds, as they came out.

    trip: half a round trip.  gap: of a message in a flood.  o_s, o_r: overheads.  g, G: fitted to
    the sizes up to this one.  None: not said.
    """

    line: int
    size: int
    o_s: float
    o_r: float
    g: float
    G: float
    trip: float | None = None
    gap: float | None = None


def _file(log: Log) -> Iterator[_Row]:
    for line, text in enumerate(log.lines, 1):
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        words = text.split()
        require_whole_row(log, line, words, len(_COLUMNS))
        named = dict(zip(_COLUMNS, words, strict=True))
        size, n = (whole(log, line, name, named[name], 0) for name in ("size", "n"))
        one, flood = (microseconds(log, line, "PRTT", named[name]) for name in ("one", "flood"))
        fitted = {name: _number(log, line, name, named[name]) for name in ("o_s", "o_r", "g", "G")}
        gap = (flood - one) / (n - 1) if n > 1 else None
        yield _Row(line, size, trip=one / 2, gap=gap, **fitted)


def _printed(log: Log) -> Iterator[_Row]:
    first = True
    for line, text in enumerate(log.lines, 1):
        match = _PRINTED.match(text)
        if match is None:
            if _CUT.match(text):
                raise log.refusal(line, "cut short: not all of L, s, o_s, o_r, g and G")
            continue
        fitted = {name: _number(log, line, name, match[name]) for name in ("o_s", "o_r", "g", "G")}
        # It is that of the first size in every line.
        trip = microseconds(log, line, "L", match["L"]) if first else None
        first = False
        yield _Row(line, whole(log, line, "s", match["s"], 0), trip=trip, **fitted)


def _number(log: Log, line: int, name: str, text: str) -> float:
    """Microseconds in seconds; nan where there were too few sizes for a fit."""
    try:
        return float(text) / 1e6
    except ValueError:
        raise log.refusal(line, f'{name} is "{text[:40]}", no number') from None


def _take(log: Log, row: _Row, reading: Reading) -> int:
    """Add the values of a row; how many of them cannot be."""
    if row.size == 0:
        return 0
    values: dict[Quantity, float | None] = {
        "half_round_trip": row.trip,
        "unidirectional": None if row.gap is None or row.gap <= 0 else row.size / row.gap,
        "send": row.o_s,
        "receive": row.o_r,
    }
    known = {name: value for name, value in values.items() if value is not None}
    good = {name: value for name, value in known.items() if value > 0 and math.isfinite(value)}
    reading.points += [Point(name, row.size, value) for name, value in good.items()]
    return len(known) - len(good) + (row.gap is not None and row.gap <= 0)


def _take_fit(rows: Sequence[_Row], reading: Reading) -> None:
    """Add g and G of the last fit, which the most sizes are in."""
    for row in reversed(rows):
        if row.g > 0 and row.G > 0 and math.isfinite(row.g + row.G):
            reading.points += [Point("g", row.size, row.g), Point("G", row.size, row.G)]
            return

"""Reading the record of an observed run: the tables of all ranks, as one document."""

import math
import os
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy

from .events import Events
from .events import read as read_events

# In the order of the numbers in src/lapwing/observe/traffic.hpp.
OPERATIONS = [
    "messages",
    "alltoall",
    "bcast",
    "reduce",
    "allreduce",
    "allgather",
    "gather",
    "scatter",
    "reduce_scatter",
    "scan",
    "barrier",
    "neighbours",
]

ELEMENTS = [
    "unknown",
    "byte",
    "char",
    "int16",
    "int32",
    "int64",
    "uint32",
    "uint64",
    "float",
    "double",
    "complex float",
    "complex double",
]

# Ranks whose messages are told one by one.
_MOST_RANKS = 64

# The layout of src/lapwing/observe/table.hpp.
_MARK = 0x334F5750414C
_MODULES, _CALLS, _RECORDS = 32, 512, 1024
_MODULE = numpy.dtype([("path", "S504"), ("base", "u8")])
_CALL = numpy.dtype(
    [
        ("routine", "S32"),
        ("function", "S64"),
        ("address", "u8"),
        ("module", "u8"),
        ("count", "u8"),
        ("sent", "u8"),
        ("received", "u8"),
        ("time", "f8"),
    ]
)
_ROUTE = numpy.dtype(
    [
        ("peer", "i4"),
        ("tag", "i4"),
        ("sends", "u2"),
        ("phase", "u2"),
        ("messages", "u4"),
        ("bytes", "u8"),
    ]
)
_RECORD = numpy.dtype(
    [
        ("operation", "u4"),
        ("ranks", "u4"),
        ("head", "u4"),
        ("size_class", "u4"),
        ("members", "u4"),
        ("peers", "u4"),
        ("routes", "u4"),
        ("element", "u4"),
        ("root", "i4"),
        ("unused", "u4"),
        ("count", "u8"),
        ("messages", "u8"),
        ("sent", "u8"),
        ("received", "u8"),
        ("size", "u8"),
        ("blocking", "u8"),
        ("initiating", "f8"),
        ("waiting", "f8"),
        ("least", "f8"),
        ("squares", "f8"),
        ("before", "f8"),
        ("packing", "f8"),
        ("behind", "f8"),
        ("after", "f8"),
        ("beside", "f8"),
        ("member", "u4", 12),
        ("peer", "i4", 16),
        ("route", _ROUTE, 32),
    ]
)
_HEADER = numpy.dtype(
    [
        ("magic", "u8"),
        ("rank", "u8"),
        ("ranks", "u8"),
        ("finished", "u8"),
        ("lost", "u8"),
        ("begun", "f8"),
        ("now", "f8"),
        ("computed", "f8"),
        ("recorded", "u8"),
        ("recorded_calls", "u8"),
        ("modules", "u8"),
        ("calls", "u8"),
        ("records", "u8"),
        ("module", _MODULE, _MODULES),
        ("call", _CALL, _CALLS),
    ]
)

_SUMMED = ["count", "messages", "sent", "received", "size", "blocking"]
_TIMED = ["initiating", "waiting", "before", "packing", "behind", "after", "beside"]


def read(directory: Path, module: str | None = None) -> tuple[dict[str, Any], Events | None] | None:
    """The document of a run whose ranks wrote their tables to `directory`; None if none did.

    Beside it the events, if they were recorded.

    module: the program, if the ranks ran copies of it that are gone. If ranks did not come to their
    end, the document has what they had recorded until then.
    """
    tables = list(_tables(directory))
    if not tables:
        return None
    instead = module and os.path.realpath(module)
    headers = [header for header, _ in tables]
    computed = [float(header["computed"]) for header in headers]
    number, sites = _sites(headers, instead)
    document = {
        **_run(headers),
        "computation": {"seconds": sum(computed) / len(computed)},
        "calls": _calls(tables, number, instead),
        "exchanges": _exchanges(tables, number, instead),
    }
    return document, read_events(directory, sites)


@dataclass(frozen=True)
class RecordedCalls:
    """What ranks tell of the calls that they have recorded one by one.

    run: how many ranks, how long, and whether all came to their end.  calls: the call sites.
    sites: of each rank, the index of each of its call sites in `calls`.  bytes: of each rank's
    records.  count: of all calls.
    """

    run: dict[str, Any]
    calls: list[dict[str, Any]]
    sites: dict[int, list[int]]
    bytes: dict[int, int]
    count: int


def read_recorded(directory: Path, module: str | None = None) -> RecordedCalls | None:
    """The same of a run that recorded every call; None if no rank left anything."""
    tables = list(_tables(directory))
    if not tables:
        return None
    instead = module and os.path.realpath(module)
    headers = [header for header, _ in tables]
    number, sites = _sites(headers, instead)
    return RecordedCalls(
        _run(headers),
        _calls(tables, number, instead),
        sites,
        {int(header["rank"]): int(header["recorded"]) for header in headers},
        sum(int(header["recorded_calls"]) for header in headers),
    )


def _run(headers: list[Any]) -> dict[str, Any]:
    """How many ranks there were, and how they ended."""
    ranks = int(headers[0]["ranks"])
    return {
        "ranks": ranks,
        "complete": all(header["finished"] for header in headers) and len(headers) == ranks,
        "lost": sum(int(header["lost"]) for header in headers),
        "time": {"seconds": max(float(header["now"] - header["begun"]) for header in headers)},
    }


def _sites(headers: list[Any], instead: str | None) -> tuple[dict[Any, int], dict[int, list[int]]]:
    """The number of each call site, and of each rank the numbers of its own."""
    number: dict[Any, int] = {}
    sites = {
        int(header["rank"]): [
            number.setdefault(place, len(number)) for place in _places(header, instead)
        ]
        for header in headers
    }
    return number, sites


def _tables(directory: Path) -> Iterable[tuple[Any, Any]]:
    """The header and the records of each rank."""
    whole = directory / "all"
    files = [whole] if whole.is_file() else sorted(directory.glob("rank.*"))
    for file in files:
        content = file.read_bytes()
        start = 0
        while start + _HEADER.itemsize <= len(content):
            header = numpy.frombuffer(content, _HEADER, 1, start)[0]
            if header["magic"] != _MARK:
                break
            start += _HEADER.itemsize
            count = int(header["records"])
            records = numpy.frombuffer(content, _RECORD, count, start)
            start += _RECORD.itemsize * count
            yield header, records
            if file != whole:
                break


def _exchanges(
    tables: list[tuple[Any, Any]], number: dict[Any, int], instead: str | None
) -> list[dict[str, Any]]:
    """The exchanges of all ranks. number: of each call site.

    Exchanges that begin at the same call site with about the same number of bytes are one.
    """
    together: dict[Any, list[tuple[Any, Any]]] = defaultdict(list)
    for header, records in tables:
        places = _places(header, instead)
        for record in records:
            key = (places[int(record["head"])], *(int(record[name]) for name in _KEY))
            together[key].append((header, record))
    return [_exchange(number[key[0]], found, number, instead) for key, found in together.items()]


_KEY = ["operation", "ranks", "size_class"]


def _exchange(
    head: int, found: list[tuple[Any, Any]], number: dict[Any, int], instead: str | None
) -> dict[str, Any]:
    """One exchange: the mean over all its executions on all ranks that take part."""
    records = [record for _, record in found]
    total = {name: sum(int(record[name]) for record in records) for name in _SUMMED}
    count = total["count"]
    spent = {name: sum(float(record[name]) for record in records) / count for name in _TIMED}
    members = {
        number[_places(header, instead)[int(member)]]
        for header, record in found
        for member in record["member"][: int(record["members"])]
    }
    each = [float(r["initiating"] + r["waiting"]) / int(r["count"]) for r in records]
    quickest = min(range(len(each)), key=each.__getitem__)
    elements = {ELEMENTS[int(record["element"])] for record in records}
    root = int(records[0]["root"])
    return {
        "call": head,
        "members": sorted(members - {head}),
        "operation": OPERATIONS[int(records[0]["operation"])],
        "communicator": int(records[0]["ranks"]),
        "ranks": len(records),
        "peers": max(int(record["peers"]) for record in records),
        "count": count / len(records),
        "messages": total["messages"] / count,
        "sent": total["sent"] / count,
        "received": total["received"] / count,
        "size": total["size"] / count,
        "blocking": total["blocking"] == count,
        **{name: {"seconds": value} for name, value in spent.items()},
        "quickest_rank": {"seconds": each[quickest]},
        "deviation": {"seconds": _deviation(records[quickest], each[quickest])},
        "element": elements.pop() if len(elements) == 1 else "unknown",
        "root": root if root >= 0 and int(records[0]["ranks"]) else None,
        "messages_of_ranks": [
            {"rank": int(header["rank"]), "messages": _routes(record)}
            for header, record in sorted(found, key=lambda pair: int(pair[0]["rank"]))
            if int(header["rank"]) < _MOST_RANKS and int(record["routes"])
        ],
    }


def _deviation(record: Any, mean: float) -> float:
    """The standard deviation of the seconds in the calls of an exchange, over its executions."""
    variance = float(record["squares"]) / int(record["count"]) - mean * mean
    return math.sqrt(max(0.0, variance))


def _routes(record: Any) -> list[dict[str, Any]]:
    """What a rank sends and receives in an exchange, by peer and tag, the mean of executions."""
    return [
        {
            "peer": int(route["peer"]) if route["peer"] >= 0 else None,
            "tag": int(route["tag"]) if route["tag"] >= 0 else None,
            "sends": bool(route["sends"]),
            "phase": int(route["phase"]),
            "messages": int(route["messages"]) / int(record["count"]),
            "bytes": int(route["bytes"]) / int(record["count"]),
        }
        for route in record["route"][: int(record["routes"])]
    ]


def _places(header: Any, instead: str | None) -> list[tuple[str, int, str, str]]:
    """The call sites of a rank: module, offset, MPI routine, exported function."""
    modules = header["module"]
    found = []
    for call in header["call"][: int(header["calls"])]:
        module = modules[min(int(call["module"]), _MODULES - 1)]
        path = module["path"].decode("utf-8", "replace")
        if instead and not os.path.exists(path):
            path = instead
        place = int(call["address"]) - (0 if _fixed(path) else int(module["base"]))
        routine, function = (call[name].decode("utf-8", "replace") for name in _NAMES)
        found.append((path, place, routine, function))
    return found


_NAMES = ["routine", "function"]


def _calls(
    tables: list[tuple[Any, Any]], number: dict[Any, int], instead: str | None
) -> list[dict[str, Any]]:
    """All call sites, with the totals of all ranks."""
    made = [
        {
            "routine": _c_name(routine),
            "language": "C" if routine.startswith("MPI_") else "Fortran",
            "function": function or None,
            "file": None,
            "line": None,
            "module": path,
            "offset": place,
            "count": 0,
            "sent": 0,
            "received": 0,
            "time": {"seconds": 0.0},
        }
        for path, place, routine, function in number
    ]
    for header, _ in tables:
        for place, call in zip(_places(header, instead), header["call"], strict=False):
            entry = made[number[place]]
            for name in ("count", "sent", "received"):
                entry[name] += int(call[name])
            entry["time"]["seconds"] += float(call["time"])
    _name(made)
    return made


def _c_name(symbol: str) -> str:
    """The routine's name in C, from the name of the entry that was called, C's or Fortran's."""
    if symbol.startswith("MPI_"):
        return symbol
    plain = symbol.removeprefix("mpi_").rstrip("_")
    for suffix in ("_f08ts", "_f08"):
        plain = plain.removesuffix(suffix)
    return f"MPI_{plain.capitalize()}"


def _name(calls: list[dict[str, Any]]) -> None:
    """Add function, file and line of each call site, as far as addr2line can tell."""
    tool = shutil.which("addr2line")
    modules = {call["module"] for call in calls if os.path.isfile(call["module"])}
    for module in sorted(modules) if tool else []:
        there = [call for call in calls if call["module"] == module]
        # A return address is behind its call.
        places = [hex(call["offset"] - 1) for call in there]
        try:
            done = subprocess.run(
                [str(tool), "-f", "-C", "-e", module, *places],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=60,
            )
        except (OSError, subprocess.TimeoutExpired):
            continue
        lines = done.stdout.splitlines()
        for call, function, where in zip(there, lines[::2], lines[1::2], strict=False):
            if function != "??":
                call["function"] = function
            file, _, line = where.partition(" ")[0].rpartition(":")
            if file not in ("", "??"):
                call["file"] = file
                call["line"] = int(line) if line.isdigit() and int(line) > 0 else None


@cache
def _fixed(path: str) -> bool:
    """Whether a program runs at the addresses of its link."""
    try:
        with open(path, "rb") as file:
            return file.read(18)[16:18] == b"\x02\x00"
    except OSError:
        return False

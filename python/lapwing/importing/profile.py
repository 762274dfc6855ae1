"""A profile of what logs say about messages between two ranks."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import LapwingError
from .collective_costs import collective_costs
from .link import Link, derive
from .reading import Point, Quantity, Reading, listed

WITHIN = "within a node"

# Where the quantities of the main pair of ranks are, and those of a pair within a node.
_PLACES: dict[Quantity, str] = {
    "half_round_trip": "latency.half_round_trip",
    "unidirectional": "bandwidth.unidirectional",
    "bidirectional": "bandwidth.bidirectional",
    "exchange": "bandwidth.bidirectional",
    "send": "overhead.send",
    "receive": "overhead.receive",
}
_PLACES_OF_PAIR: dict[Quantity, str] = {
    "half_round_trip": "pairs[0].half_round_trip",
    "unidirectional": "pairs[0].bandwidth",
    "bidirectional": "pairs[0].bidirectional",
    "exchange": "pairs[0].bidirectional",
}
_LOG_OF_TRIPS = "a log of osu_latency, IMB PingPong or Netgauge"


@dataclass
class PointLogs:
    """The logs of messages between two ranks that were in one place.

    readings: with the paths of their logs.
    """

    readings: list[tuple[str, Reading]] = field(default_factory=list)

    def points(self) -> list[Point]:
        """All points of all logs."""
        return [point for _, reading in self.readings for point in reading.points]

    def link(self) -> Link:
        """The tables of all logs together."""
        link = Link()
        link.add(self.points())
        return link

    def tools(self) -> list[str]:
        """The tools that wrote the logs, each once, with their versions."""
        return list(dict.fromkeys(_tool(reading) for _, reading in self.readings))

    def layer(self) -> str:
        """What moves the messages: "MPI", or "MPI-CUDA" from a device to another."""
        return next(reading.layer for _, reading in self.readings if reading.points)

    def imported(self, places: dict[Quantity, str], sizes: Sequence[int]) -> list[dict[str, Any]]:
        """What a profile says of its imported tables. places: of quantities.  sizes: of tables."""
        link = self.link()
        both_ways = "bidirectional" if link.table("bidirectional") else "exchange"
        made = []
        for quantity, place in places.items():
            known = link.values.get(quantity, {})
            there = [size for size in sizes if size in known]
            if not there or (place.endswith("bidirectional") and quantity != both_ways):
                continue
            made.append(
                {
                    "table": place,
                    "logs": [
                        {"file": path, "tool": reading.tool, "version": reading.version or ""}
                        for path, reading in self.readings
                        if any(point.quantity == quantity for point in reading.points)
                    ],
                    "sizes": there,
                    "values": [len(known[size]) for size in there],
                    "low": [min(known[size]) for size in there],
                    "high": [max(known[size]) for size in there],
                }
            )
        return made


def profile_document(
    apart: PointLogs,
    within: PointLogs,
    *,
    place: str | None,
    mpi: Sequence[str],
    memory_bandwidth: float | None = None,
) -> dict[str, Any] | None:
    """The profile document of logs between ranks `apart`, and `within` a node.

    place: of the ranks that are apart, in words; None: unknown.  mpi: libraries that logs name.
    memory_bandwidth: of a node, bytes a second; None: unknown.
    None if there are no such logs. Raises LapwingError if half round trips are missing, or if the
    logs are of several systems.
    """
    if not apart.points() and not within.points():
        return None
    system = _system([*apart.points(), *within.points()])
    _require_one_memory([*apart.readings, *within.readings])
    main, others = (apart, within) if apart.points() else (within, PointLogs())
    if main is within:
        place = WITHIN
    link = main.link()
    _require_trips(main, link)
    derived = derive(link)
    document: dict[str, Any] = {"lapwing": "profile", "schema_version": 2}
    document["machine"] = _machine(main, system, place, mpi, derived.reasons)
    document["loggp"] = derived.loggp
    if derived.error is not None:
        document["error"] = derived.error
    document |= _tables(link)
    document |= {"nic": "serialising", "queue_depth": None}
    document["queue_depth_reason"] = "logs of benchmarks do not tell"
    document["imported"] = main.imported(_PLACES, _all_sizes(document))
    warnings = [note for _, reading in main.readings for note in reading.notes]
    if others.points():
        warnings += [note for _, reading in others.readings for note in reading.notes]
        if others.link().table("half_round_trip"):
            pair = _pair(others, document["machine"])
            document["pairs"] = [pair]
            document["imported"] += others.imported(_PLACES_OF_PAIR, pair["sizes"])
        else:
            warnings.append(f"within a node: no half round trips; {_LOG_OF_TRIPS} has them")
    memory = _memory(within)
    crowded = [] if memory is None else [p for p in within.points() if p.pairs > 1]
    costs = collective_costs(link, memory, crowded, memory_bandwidth)
    if costs is not None:
        document["collectives"], reason = costs
        document["machine"]["collectives, derived"] = reason
    patterns, places = _patterns(main.points())
    if patterns and place != WITHIN:
        document |= {"patterns": patterns, "interpolated": places}
    return document | {"warnings": warnings}


def _tool(reading: Reading) -> str:
    return f"{reading.tool} {reading.version}" if reading.version else reading.tool


def _all_sizes(document: dict[str, Any]) -> list[int]:
    sections = ("latency", "bandwidth", "overhead")
    return sorted({size for section in sections for size in document[section]["sizes"]})


def _system(points: Sequence[Point]) -> str | None:
    systems = list(dict.fromkeys(point.system for point in points if point.system))
    if len(systems) > 1:
        raise LapwingError(
            f"the logs are of several systems, a profile is of one: {listed(systems)}; choose the "
            "rows of a table with --only COLUMN=VALUE"
        )
    return systems[0] if systems else None


def _require_one_memory(readings: Sequence[tuple[str, Reading]]) -> None:
    """Raise LapwingError if some logs are of buffers in a device, which are another link."""
    layers: dict[str, str] = {}
    for path, reading in readings:
        if reading.points:
            layers.setdefault(reading.layer, path)
    if len(layers) > 1:
        said = " and ".join(f"{layer} ({path})" for layer, path in layers.items())
        raise LapwingError(f"the logs are of {said}: a profile is of buffers in one memory")


def _require_trips(logs: PointLogs, link: Link) -> None:
    if not link.table("half_round_trip"):
        path = next(path for path, reading in logs.readings if reading.points)
        raise LapwingError(f"{path}: a profile needs half round trips, too; add {_LOG_OF_TRIPS}")


def _machine(
    logs: PointLogs,
    system: str | None,
    place: str | None,
    mpi: Sequence[str],
    reasons: Sequence[str],
) -> dict[str, str]:
    unknown = "unknown whether within a node or between two: the logs do not say"
    link = logs.link()
    missing = [] if link.table("send") else ["overheads by size"]
    missing += [] if link.table("unidirectional") else ["bandwidth one way"]
    missing += [] if _both_ways(link) else ["bandwidth both ways"]
    missing += ["progress while computing", "queue depth"]
    machine = {
        "name": system,
        "mpi": ", ".join(dict.fromkeys(mpi)),
        "layer": f"{logs.layer()} two-sided",
        "ranks": f"2, {place or unknown}",
        "source": f"imported from logs: {listed(logs.tools())}",
        "derived": "; ".join(reasons),
        "assumed": "the interface sends one message after another (serialising)",
        "missing": ", ".join(missing),
    }
    return {name: text for name, text in machine.items() if text}


def _both_ways(link: Link) -> dict[int, float]:
    return link.table("bidirectional") or link.table("exchange")


def _tables(link: Link) -> dict[str, Any]:
    """The sections overhead, bandwidth and latency. Rates that were not measured are 0."""
    trips, one_way, both_ways = (
        link.table("half_round_trip"),
        link.table("unidirectional"),
        _both_ways(link),
    )
    send, receive = link.table("send"), link.table("receive")
    timed = [size for size in send if size in receive]
    # A table with some rates only would be interpolated between rates and zeros.
    flooded = [size for size in one_way or both_ways if not both_ways or size in both_ways]
    if one_way and not flooded:
        flooded, both_ways = list(one_way), {}
    return {
        "overhead": {
            "sizes": timed,
            "bursts": [1] if timed else [],
            "send": [[send[size]] for size in timed],
            "receive": [receive[size] for size in timed],
        },
        "bandwidth": {
            "sizes": flooded,
            "unidirectional": [one_way.get(size, 0.0) for size in flooded],
            "bidirectional": [both_ways.get(size, 0.0) for size in flooded],
        },
        "latency": {
            "sizes": list(trips),
            "half_round_trip": list(trips.values()),
            "bandwidth": [one_way.get(size, 0.0) for size in trips],
        },
    }


def _memory(within: PointLogs) -> Link | None:
    """Messages that processors copy from memory to memory; None if there are none."""
    return within.link() if within.points() and within.layer() == "MPI" else None


def _pair(logs: PointLogs, machine: dict[str, str]) -> dict[str, Any]:
    """The pair within a node. Its reasons go to `machine`."""
    link = logs.link()
    derived = derive(link)
    if derived.reasons:
        machine[f"{WITHIN}, derived"] = "; ".join(derived.reasons)
    trips, one_way = link.table("half_round_trip"), link.table("unidirectional")
    both_ways = _both_ways(link)
    pair = {
        "name": WITHIN,
        "ranks": [0, 1],
        "loggp": derived.loggp,
        "error": derived.error or dict.fromkeys(derived.loggp, 0.0),
        "sizes": list(trips),
        "half_round_trip": list(trips.values()),
        "bandwidth": [one_way.get(size, 0.0) for size in trips],
    }
    if any(size in both_ways for size in trips):
        pair["bidirectional"] = [both_ways.get(size, 0.0) for size in trips]
    return pair


def _patterns(points: Sequence[Point]) -> tuple[list[dict[str, Any]], list[str]]:
    """Floods of several pairs at once across nodes, and the places in them that nobody measured.

    Logs have the sum over pairs alone. So the slowest and the fastest pair get the mean, with a
    note.
    """
    floods = [p for p in points if p.pairs > 1 and p.quantity == "unidirectional"]
    links: dict[int, Link] = {}
    for point in floods:
        alone = Point(point.quantity, point.size, point.value / point.pairs)
        links.setdefault(2 * point.pairs, Link()).add([alone])
    tables = {processes: links[processes].table("unidirectional") for processes in sorted(links)}
    if not tables:
        return [], []
    sizes = sorted(set.intersection(*(set(table) for table in tables.values())))
    if not sizes:
        return [], []
    gaps = [[1 / table[size] for size in sizes] for table in tables.values()]
    places = [
        f"patterns[0].{name}[{row}][{column}]"
        for name in ("slowest", "fastest", "fairness")
        for row in range(len(gaps))
        for column in range(len(sizes))
    ]
    return [
        {
            "pattern": "cross-bisection",
            "processes": list(tables),
            "sizes": sizes,
            "slowest": gaps,
            "fastest": gaps,
            "fairness": [[1.0] * len(sizes) for _ in gaps],
        }
    ], places

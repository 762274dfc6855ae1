"""Figures of machines: latency, bandwidth, overhead o(S,b), and how a network is shared."""

from collections.abc import Iterator
from typing import Any

from ..profiles.benchmarks import benchmarks
from .cells import cells, shade_limits
from .curves import curves
from .spec import About, Row, Spec
from .units import Axis

SIZE = Axis("size_bytes", "message size", "bytes", log=True)
_PROCESSES = Axis("processes", "processes", "count", log=True)

Profiles = list[tuple[str, dict[str, Any]]]


def figures(profiles: Profiles) -> list[Spec]:
    """The figures that the profiles have tables for, each with its label."""
    made = [
        latency(profiles),
        bandwidth(profiles),
        overhead(profiles),
        operations(profiles),
        shared(profiles),
        fairness(profiles),
    ]
    return [spec for spec in made if spec is not None]


def latency(profiles: Profiles) -> Spec | None:
    """Half a round trip against the size, a curve for each machine and pair of ranks."""
    rows = []
    for label, profile in profiles:
        found = benchmarks(profile)
        main = "measured" if found.measured else "implied by LogGP"
        rows += _curve(label, main, found.sizes, found.half_round_trip)
        for pair in profile.get("pairs", []):
            rows += _curve(label, pair["name"], pair["sizes"], pair["half_round_trip"])
    about = About(
        "latency",
        "Latency",
        "Half a round trip against the size of the message, as IMB and OSU print it. Short "
        "messages cost the way, long ones their bytes.",
        "machine",
    )
    y = Axis("value", "half round trip", "seconds", log=True)
    return curves(about, _overlaid(rows), SIZE, y, "curve")


def bandwidth(profiles: Profiles) -> Spec | None:
    """Bytes a second of a flood of messages against their size, one way and both ways."""
    rows: list[Row] = []
    levels = []
    for label, profile in profiles:
        flood = profile["bandwidth"]
        if flood["sizes"]:
            rows += _curve(label, "one way", flood["sizes"], flood["unidirectional"])
            rows += _curve(label, "both ways", flood["sizes"], flood["bidirectional"])
        else:
            found = benchmarks(profile)
            rows += _curve(label, "implied by LogGP", found.sizes, found.bandwidth)
        for pair in profile.get("pairs", []):
            rows += _curve(label, pair["name"], pair["sizes"], pair["bandwidth"])
        if profile["loggp"]["G"]:
            levels.append({"machine": label, "curve": "1/G", "level": 1 / profile["loggp"]["G"]})
    about = About(
        "bandwidth",
        "Bandwidth",
        "Bytes a second of a flood of messages against their size. Overhead and gap pace short "
        "messages, the wire paces long ones.",
        "machine",
    )
    y = Axis("value", "bandwidth", "rate", log=True)
    return curves(about, rows, SIZE, y, "curve", select=["machine"], levels=levels)


def overhead(profiles: Profiles) -> Spec | None:
    """A map of o(S,b): what initiating a message costs the processor."""
    rows = [
        {"machine": label, "burst": burst, "size_bytes": size, "overhead_s": seconds}
        for label, profile in profiles
        for size, row in zip(
            profile["overhead"]["sizes"], profile["overhead"]["send"], strict=False
        )
        for burst, seconds in zip(profile["overhead"]["bursts"], row, strict=True)
        if max(map(max, profile["overhead"]["send"]))
        > 1.01 * min(map(min, profile["overhead"]["send"]))
    ]
    about = About(
        "overhead",
        "Overhead o(S,b)",
        "What initiating a message costs the processor, by its size S and the number b of messages "
        "in one burst (Iancu and Strohmaier 2007, figures 1 and 2).",
        "machine",
    )
    burst = Axis("burst", "burst b", "count", log=True)
    value = Axis("overhead_s", "overhead", "seconds", log=True)
    steps = shade_limits(row["overhead_s"] for row in rows)
    return cells(about, rows, burst, SIZE, value, steps, select=["machine"])


def operations(profiles: Profiles) -> Spec | None:
    """The latency of every operation that was measured, against the size."""
    rows = [
        row
        for label, profile in profiles
        for way in profile.get("operations", [])
        for row in _curve(label, f"{way['transport']} {way['name']}", way["sizes"], way["latency"])
    ]
    about = About(
        "operations",
        "Every way to move bytes",
        "Time until the data is known to be there, for each operation that was measured.",
        "machine",
    )
    y = Axis("value", "latency", "seconds", log=True)
    return curves(about, rows, SIZE, y, "curve", select=["machine"])


def shared(profiles: Profiles) -> Spec | None:
    """Bandwidth of a pair while more and more processes communicate, at the largest size."""
    rows = [
        {
            "machine": label,
            "pattern": pattern["pattern"],
            "processes": processes,
            "bandwidth": 1 / slowest[-1],
            "low": 1 / slowest[-1],
            "high": 1 / fastest[-1],
        }
        for label, pattern in _patterns(profiles)
        for processes, slowest, fastest in zip(
            pattern["processes"], pattern["slowest"], pattern["fastest"], strict=True
        )
    ]
    about = About(
        "shared",
        "What a pair of ranks has left",
        "Bandwidth of the slowest pair, and up to the fastest, while more and more processes "
        "communicate (Iancu and Strohmaier 2007, figures 4 and 5), at the largest size.",
        "machine",
    )
    y = Axis("bandwidth", "bandwidth of a pair", "rate")
    return curves(about, rows, _PROCESSES, y, "pattern", select=["machine"])


def fairness(profiles: Profiles) -> Spec | None:
    """How evenly pairs share the network; none where all pairs have the same."""
    rows = [
        {
            "machine": label,
            "pattern": pattern["pattern"],
            "processes": processes,
            "fairness": row[-1],
        }
        for label, pattern in _patterns(profiles)
        for processes, row in zip(pattern["processes"], pattern["fairness"], strict=True)
    ]
    if all(row["fairness"] > 0.99 for row in rows):
        return None
    about = About(
        "fairness",
        "Fairness",
        "How evenly pairs of ranks share the network, at the largest size: 1 where all have the "
        "same.",
        "machine",
    )
    y = Axis("fairness", "fairness", "count")
    return curves(about, rows, _PROCESSES, y, "pattern", select=["machine"])


def _patterns(profiles: Profiles) -> Iterator[tuple[str, dict[str, Any]]]:
    for label, profile in profiles:
        for pattern in profile.get("patterns", []):
            if pattern["sizes"]:
                yield label, pattern


def _curve(machine: str, name: str, sizes: list[int], values: list[float]) -> list[Row]:
    """The rows of a curve, without those that are 0: nobody measured these."""
    return [
        {"machine": machine, "curve": name, "size_bytes": size, "value": value}
        for size, value in zip(sizes, values, strict=True)
        if value
    ]


def _overlaid(rows: list[Row]) -> list[Row]:
    """Curves of several machines in one figure: their names say of which."""
    if len({row["machine"] for row in rows}) < 2:
        return rows
    return [{**row, "curve": f"{row['machine']}, {row['curve']}"} for row in rows]

"""Figures of a profile: latency, bandwidth, overhead o(S,b), and how a network is shared."""

from typing import Any

from ..profiles.benchmarks import benchmarks
from .figure import Axis, Figure, Lines, Map, Series, shade_limits, to_text

SIZE = Axis("message size", "bytes", log=True)


def figures(profile: dict[str, Any], label: str) -> list[Figure]:
    """The figures that the profile has tables for. label: of the machine."""
    found = [_latency(profile, label), _bandwidth(profile, label)]
    if profile["overhead"]["send"]:
        found.append(_overhead(profile, label))
    found += [_operations(profile, label)] if profile.get("operations") else []
    if any(pattern["sizes"] for pattern in profile.get("patterns", [])):
        found += [_shared(profile, label), _fairness(profile, label)]
    return found


def _latency(profile: dict[str, Any], label: str) -> Figure:
    found = benchmarks(profile)
    main = "measured" if found.measured else "implied by LogGP"
    series = [Series(main, found.sizes, found.half_round_trip)]
    series += [
        Series(pair["name"], pair["sizes"], pair["half_round_trip"])
        for pair in profile.get("pairs", [])
    ]
    return Lines(
        f"latency-{label}",
        f"Latency of {label}",
        "Half a round trip against the size of the message, as IMB and OSU print it. Level where "
        "the way counts, rising where the bytes do.",
        "machine",
        SIZE,
        Axis("half round trip", "seconds", log=True),
        series,
    )


def _bandwidth(profile: dict[str, Any], label: str) -> Figure:
    flood = profile["bandwidth"]
    series = []
    if flood["sizes"]:
        series += [
            Series("one way", flood["sizes"], _measured(flood["unidirectional"])),
            Series("both ways", flood["sizes"], _measured(flood["bidirectional"])),
        ]
    else:
        found = benchmarks(profile)
        series.append(Series("implied by LogGP", found.sizes, found.bandwidth))
    series += [
        Series(pair["name"], pair["sizes"], _measured(pair["bandwidth"]))
        for pair in profile.get("pairs", [])
    ]
    series = [each for each in series if any(each.y)]
    return Lines(
        f"bandwidth-{label}",
        f"Bandwidth of {label}",
        "Bytes a second of a flood of messages against their size. Short messages are paced by "
        "overhead and gap, long ones by the wire.",
        "machine",
        SIZE,
        Axis("bandwidth", "rate", log=True),
        series,
        {"1/G": 1 / profile["loggp"]["G"]} if profile["loggp"]["G"] else {},
    )


def _measured(rates: list[float]) -> list[float | None]:
    """The rates, without those that are 0: nobody measured these."""
    return [rate or None for rate in rates]


def _overhead(profile: dict[str, Any], label: str) -> Figure:
    table = profile["overhead"]
    cells = [
        (burst, size, seconds)
        for size, row in zip(table["sizes"], table["send"], strict=True)
        for burst, seconds in zip(table["bursts"], row, strict=True)
    ]
    return Map(
        f"overhead-{label}",
        f"Overhead o(S,b) of {label}",
        "What initiating a message costs the processor, by its size S and by how many are "
        "initiated in one burst b (Iancu and Strohmaier 2007, figures 1 and 2).",
        "machine",
        Axis("burst b", "count", log=True),
        SIZE,
        Axis("overhead", "seconds", log=True),
        cells,
        shade_limits(seconds for _, _, seconds in cells),
    )


def _operations(profile: dict[str, Any], label: str) -> Figure:
    return Lines(
        f"operations-{label}",
        f"Every way to move bytes on {label}",
        "Time until the data is known to be there, for each operation that was measured.",
        "machine",
        SIZE,
        Axis("latency", "seconds", log=True),
        [
            Series(f"{way['transport']} {way['name']}", way["sizes"], way["latency"])
            for way in profile["operations"]
            if way["sizes"]
        ],
    )


def _shared(profile: dict[str, Any], label: str) -> Figure:
    """Bandwidth of a pair while P processes communicate, for the largest size."""
    return Lines(
        f"shared-{label}",
        f"What a pair of ranks has left on {label}",
        "Bandwidth of the slowest pair, and up to the fastest, while more and more processes "
        "communicate at once (Iancu and Strohmaier 2007, figures 4 and 5), at the largest size.",
        "machine",
        Axis("processes", "count", log=True),
        Axis("bandwidth of a pair", "rate"),
        [
            Series(
                pattern["pattern"],
                pattern["processes"],
                [1 / row[-1] for row in pattern["slowest"]],
                low=[1 / row[-1] for row in pattern["slowest"]],
                high=[1 / row[-1] for row in pattern["fastest"]],
                notes=[
                    f"fastest pair {to_text(1 / row[-1], 'rate')}" for row in pattern["fastest"]
                ],
            )
            for pattern in profile["patterns"]
            if pattern["sizes"]
        ],
    )


def _fairness(profile: dict[str, Any], label: str) -> Figure:
    return Lines(
        f"fairness-{label}",
        f"Fairness of {label}",
        "How evenly pairs of ranks share the network, at the largest size: 1 where all have the "
        "same.",
        "machine",
        Axis("processes", "count", log=True),
        Axis("fairness", "count"),
        [
            Series(
                pattern["pattern"],
                pattern["processes"],
                [row[-1] for row in pattern["fairness"]],
            )
            for pattern in profile["patterns"]
            if pattern["sizes"]
        ],
    )

"""Figures of programs: compression, NAS FT, transforms, observed programs, overlap, tuning."""

from collections.abc import Callable
from typing import Any

from ..doctor import USES
from ..results.call_site import call_site
from ..units import show_size
from .figure import Axis, Bars, Figure, Lines, Series
from .profile import SIZE

_MOST_EXCHANGES = 20
_TILE = Axis("tile, blocks of each rank in a gather", "count", log=True)


def compression(document: dict[str, Any], label: str) -> list[Figure]:
    """The overhead against tile and window, and the share hidden.

    As figures 1 and 2 of Hoefler, Gottschling and Lumsdaine (2008).
    """
    windows = sorted({cell["window"] for cell in document["cells"]})

    def series(value: Callable[[dict[str, Any]], float | None]) -> list[Series]:
        found = []
        for window in windows:
            cells = sorted(
                (cell for cell in document["cells"] if cell["window"] == window),
                key=lambda cell: int(cell["tile"]),
            )
            tiles = [cell["tile"] for cell in cells]
            found.append(Series(f"window {window}", tiles, [value(cell) for cell in cells]))
        return found

    plan = document["pipelined"]
    blocking = document["blocking"]["seconds"] - document["computation"]["seconds"]
    title = f"of compression on {document['ranks']} ranks, {label}"
    if not windows:
        return [_collected(document, title, label)]
    return [
        Lines(
            f"overhead-compression-{label}",
            f"Overhead {title}",
            "What collecting adds to the computation alone, against the tile, for each window "
            "(Hoefler, Gottschling and Lumsdaine 2008, figures 1 and 2).",
            "application",
            _TILE,
            Axis("overhead", "seconds"),
            series(lambda cell: cell["overhead"]["seconds"]),
            {"blocking": blocking, "plan": plan["overhead"]["seconds"]},
        ),
        _collected(document, title, label),
    ]


def _collected(document: dict[str, Any], title: str, label: str) -> Figure:
    cells = [("plan", document["pipelined"])]
    cells += [(f"tile {c['tile']}, window {c['window']}", c) for c in document["cells"]]
    return Bars(
        f"hidden-compression-{label}",
        f"Communication hidden {title}",
        "Share of what could be hidden, as planned and for every tile and window that was tried.",
        "hidden",
        Axis("share hidden", "share"),
        [name for name, _ in cells],
        [Series("hidden", list(range(len(cells))), [cell["hidden"] for _, cell in cells])],
    )


def nas_ft_times(results: list[tuple[str, dict[str, Any]]]) -> list[Figure]:
    """The time of each part of NAS FT, for each schedule."""
    labels = [schedule(result) for _, result in results]
    parts: dict[str, list[float]] = {}
    for _, result in results:
        spent = {
            "set-up": result["setup"],
            "evolution": result["evolution"],
            **result["transforms"],
            "checksums": result["checksum"],
        }
        for name, each in spent.items():
            parts.setdefault(name, []).append(each["seconds"])
    waited = [
        1 - result["transforms"]["computation"]["seconds"] / total if total else None
        for _, result in results
        for total in [sum(each["seconds"] for each in result["transforms"].values())]
    ]
    return [
        Bars(
            "ft-time",
            "NAS FT: where the time went",
            "Seconds of each part, the mean of all ranks. What communication leaves unhidden is in "
            "initiation, completion and waiting.",
            "application",
            Axis("time", "seconds"),
            labels,
            [Series(name, list(range(len(labels))), values) for name, values in parts.items()],
            stacked=True,
        ),
        Bars(
            "ft-unhidden",
            "NAS FT: share of the transforms that is not computation",
            "Packing, initiating, completing and waiting: what a schedule leaves unhidden.",
            "hidden",
            Axis("share of the transforms", "share"),
            labels,
            [Series("not computation", list(range(len(labels))), waited)],
        ),
    ]


def transform_times(document: dict[str, Any], label: str) -> list[Figure]:
    """The time of each part of a transform, for each way, and the share hidden."""
    ways = document["ways"]
    names = [f"{way['schedule']} over {way['transport']}" for way in ways]
    places = list(range(len(ways)))
    spent = {part: [way["phases"][part]["seconds"] for way in ways] for part in ways[0]["phases"]}
    size = " x ".join(map(str, document["size"]))
    return [
        Bars(
            f"fft-time-{label}",
            f"{size} on {document['ranks']} ranks: where the time goes",
            "Seconds of each part, of the rank that takes longest. What communication leaves "
            "unhidden is in initiation, completion and waiting.",
            "application",
            Axis("time", "seconds"),
            names,
            [Series(part, places, values) for part, values in spent.items()],
            stacked=True,
        ),
        Bars(
            f"fft-hidden-{label}",
            f"{size} on {document['ranks']} ranks: overhead reduction",
            "How much less a transform takes beyond its lines than one exchange does: 1 where "
            "nothing is left of it.",
            "hidden",
            Axis("overhead reduction", "share"),
            names,
            [Series("reduction", places, [way.get("overhead_reduction") for way in ways])],
        ),
    ]


def schedule(result: dict[str, Any]) -> str:
    """`class A, 16 ranks, slabs over two-sided`."""
    return (
        f"class {result['class']}, {result['ranks']} ranks, {result['schedule']} over "
        f"{result['transport']}"
    )


def observed_exchanges(document: dict[str, Any], label: str) -> list[Figure]:
    """The time that a rank spends in each exchange, and what overlap would save."""
    shown = document["exchanges"][:_MOST_EXCHANGES]
    if not shown:
        return []
    names = [
        f"{number} {call_site(document['calls'][exchange['call']])}"
        for number, exchange in enumerate(shown, 1)
    ]
    spent = [
        (each["initiating"]["seconds"] + each["waiting"]["seconds"]) * each["count"]
        for each in shown
    ]
    saved = [each["saved_in_all"]["seconds"] for each in shown]
    return [
        Bars(
            f"observed-{label}",
            f"What overlap would save, {label}",
            "For each exchange of the program the time a rank spends in its calls, and what "
            "overlapping it would save.",
            "application",
            Axis("time of a rank", "seconds"),
            names,
            [
                Series("in calls", list(range(len(names))), spent),
                Series("saved by overlap", list(range(len(names))), saved),
            ],
        )
    ]


def overlap_shares(document: dict[str, Any], label: str) -> list[Figure]:
    """The share hidden against size, a figure for each operation and side that computes."""
    rows: dict[str, list[dict[str, Any]]] = {}
    for row in document["measured"]["measurements"]:
        name = f"{row['transport']} {row['operation']}, {row['computes']} computes"
        rows.setdefault(name, []).append(row)
    found: list[Figure] = []
    for number, (name, several) in enumerate(rows.items(), 1):
        several.sort(key=lambda row: int(row["size"]))
        sizes = [row["size"] for row in several]
        found.append(
            Lines(
                f"overlap-{number}-{label}",
                f"{name}: what computation hides on {document['target']}",
                "Share of the communication that a computation of the same length hides, against "
                "the size: with nothing called meanwhile, polled, and with two messages in flight.",
                "hidden",
                SIZE,
                Axis("share hidden", "share"),
                [
                    _hides(words, [row[use] for row in several], sizes)
                    for use, words in USES.items()
                ],
                {"all of it": 1.0},
            )
        )
    return found


def _hides(name: str, uses: list[dict[str, Any]], sizes: list[int]) -> Series:
    shares = [use["hidden"] for use in uses]
    errors = [use["error"] for use in uses]
    return Series(
        name,
        sizes,
        shares,
        low=[share - error for share, error in zip(shares, errors, strict=True)],
        high=[share + error for share, error in zip(shares, errors, strict=True)],
    )


def tuning_gains(document: dict[str, Any], label: str) -> list[Figure]:
    """The predicted speed-up of each rule over the MPI's own choice."""
    rules = [rule for rule in document["rules"] if rule["gain"] is not None]
    if not rules:
        return []
    rules = sorted(rules, key=lambda rule: float(rule["gain"]), reverse=True)[:_MOST_EXCHANGES]
    names = [
        f"{rule['operation']}, {rule['ranks']} ranks, from {show_size(rule['from'])}: "
        f"{rule['algorithm'] or 'its own'}"
        for rule in rules
    ]
    return [
        Bars(
            f"tuned-{label}",
            f"What other algorithms gain, {label}",
            "How many times as fast as the MPI's own choice each rule is predicted to be, where it "
            "gains most.",
            "prediction",
            Axis("times as fast", "count"),
            names,
            [Series("gain", list(range(len(names))), [rule["gain"] for rule in rules])],
        )
    ]

"""Figures of programs: compression, NAS FT, transforms, observed programs."""

from typing import Any

from ..results.call_site import call_site
from .bars import bars
from .curves import curves
from .spec import About, Row, Spec
from .units import Axis

Documents = list[tuple[str, dict[str, Any]]]

_MOST_EXCHANGES = 20
# Shorter exchanges, as a share of the longest, are left out.
_WORTH_A_BAR = 0.01
_TIME = Axis("time_s", "time", "seconds")
_HIDDEN = Axis("hidden", "share hidden", "share")


def compression(documents: Documents) -> list[Spec]:
    """The overhead against tile and window, and the share hidden.

    As figures 1 and 2 of Hoefler, Gottschling and Lumsdaine (2008).
    """
    rows, levels, hidden = [], [], []
    for label, document in documents:
        run = {"run": f"{document['ranks']} ranks, {label}"}
        overhead = {
            "blocking": document["blocking"]["seconds"] - document["computation"]["seconds"],
            "plan": document["pipelined"]["overhead"]["seconds"],
        }
        levels += [{**run, "window": name, "level": at} for name, at in overhead.items()]
        for cell in sorted(document["cells"], key=lambda cell: (cell["window"], cell["tile"])):
            window = {"tile": cell["tile"], "window": f"window {cell['window']}"}
            rows.append({**run, **window, "time_s": cell["overhead"]["seconds"]})
        ways = [("plan", document["pipelined"])]
        ways += [(f"tile {c['tile']}, window {c['window']}", c) for c in document["cells"]]
        hidden += [{**run, "way": way, "hidden": c["hidden"], "what": "hidden"} for way, c in ways]
    added = About(
        "overhead-compression",
        "Compression: overhead",
        "What collecting adds to the computation alone, against the tile, for each window "
        "(Hoefler, Gottschling and Lumsdaine 2008, figures 1 and 2).",
        "application",
    )
    collected = About(
        "hidden-compression",
        "Compression: communication hidden",
        "Share of what could be hidden, as planned and for every tile and window that was tried.",
        "hidden",
    )
    tile = Axis("tile", "tile, blocks of each rank in a gather", "count", log=True)
    y = Axis("time_s", "overhead", "seconds")
    return _there(
        curves(added, rows, tile, y, "window", select=["run"], levels=levels),
        bars(collected, hidden, "way", _HIDDEN, "what", select=["run"]),
    )


def nas_ft_times(documents: Documents) -> list[Spec]:
    """The time of each part of NAS FT, and what is left unhidden, for each schedule."""
    spent = [
        {"run": schedule(result), "part": name, "time_s": each["seconds"]}
        for _, result in documents
        for name, each in {
            "set-up": result["setup"],
            "evolution": result["evolution"],
            **result["transforms"],
            "checksums": result["checksum"],
        }.items()
    ]
    waited = [
        {"run": schedule(result), "what": "not computation", "share": 1 - computed / total}
        for _, result in documents
        for computed in [result["transforms"]["computation"]["seconds"]]
        for total in [sum(each["seconds"] for each in result["transforms"].values())]
        if total
    ]
    times = About(
        "ft-time",
        "NAS FT: where the time went",
        "Seconds of each part, the mean of all ranks. What communication leaves unhidden is in "
        "initiation, completion and waiting.",
        "application",
    )
    unhidden = About(
        "ft-unhidden",
        "NAS FT: share of the transforms that is not computation",
        "Packing, initiating, completing and waiting: what a schedule leaves unhidden.",
        "hidden",
    )
    share = Axis("share", "share of the transforms", "share")
    return _there(
        bars(times, spent, "run", _TIME, "part", stacked=True),
        bars(unhidden, waited, "run", share, "what"),
    )


def transform_times(documents: Documents) -> list[Spec]:
    """The time of each part of a transform, for each way, and what is saved of its overhead."""
    spent: list[Row] = []
    reduced: list[Row] = []
    for label, document in documents:
        size = " x ".join(map(str, document["size"]))
        of = {"transform": f"{size} on {document['ranks']} ranks, {label}"}
        for way in document["ways"]:
            named = {**of, "way": f"{way['schedule']} over {way['transport']}"}
            parts = way["phases"].items()
            spent += [{**named, "part": n, "time_s": each["seconds"]} for n, each in parts]
            reduction = way.get("overhead_reduction")
            reduced.append({**named, "what": "reduction", "reduction": reduction})
    times = About(
        "fft-time",
        "Transforms: where the time goes",
        "Seconds of each part, of the rank that takes longest. What communication leaves unhidden "
        "is in initiation, completion and waiting.",
        "application",
    )
    saved = About(
        "fft-hidden",
        "Transforms: overhead reduction",
        "How much less a transform takes beyond its lines than one exchange does: 100 % where "
        "nothing is left of it.",
        "hidden",
    )
    share = Axis("reduction", "overhead reduction", "share")
    return _there(
        bars(times, spent, "way", _TIME, "part", select=["transform"], stacked=True),
        bars(saved, reduced, "way", share, "what", select=["transform"]),
    )


def schedule(result: dict[str, Any]) -> str:
    """`class A, 16 ranks, slabs over two-sided`."""
    return (
        f"class {result['class']}, {result['ranks']} ranks, {result['schedule']} over "
        f"{result['transport']}"
    )


def observed_exchanges(documents: Documents) -> list[Spec]:
    """The time that a rank spends in each exchange, and what overlap would save."""
    rows: list[Row] = []
    for label, document in documents:
        exchanges = document["exchanges"]
        longest = max(map(in_calls, exchanges), default=0.0)
        shown = [each for each in exchanges if in_calls(each) >= longest * _WORTH_A_BAR]
        for number, exchange in enumerate(shown[:_MOST_EXCHANGES], 1):
            site = call_site(document["calls"][exchange["call"]])
            calls = in_calls(exchange)
            # On another machine than the profile's, an exchange may cost less than it would save.
            saved = min(calls, exchange["saved_in_all"]["seconds"])
            times = {"in calls": calls, "saved by overlap": saved}
            of = {"program": label, "exchange": f"{number} {site}"}
            rows += [{**of, "what": what, "time_s": each} for what, each in times.items()]
    about = About(
        "observed",
        "What overlap would save",
        "For each exchange of the program the time a rank spends in its calls, and what "
        "overlapping it would save.",
        "application",
    )
    y = Axis("time_s", "time of a rank", "seconds")
    return _there(bars(about, rows, "exchange", y, "what", select=["program"]))


def in_calls(exchange: dict[str, Any]) -> float:
    """Seconds that a rank spends in the calls of an exchange."""
    one = exchange["initiating"]["seconds"] + exchange["waiting"]["seconds"]
    return float(one * exchange["count"])


def _there(*specs: Spec | None) -> list[Spec]:
    return [spec for spec in specs if spec is not None]

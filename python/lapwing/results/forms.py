"""What of a document is said in a line, and what is its table, by its kind."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .call_site import site_name

Values = dict[str, Any]


def _none(_: Values) -> list[Values]:
    return []


def _no_axes(_: Values) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True)
class Form:
    """How results of a kind are shown.

    name: of such a result.  said: fields for one line, by names with dots.  rows: the entries of
    its table.  axes: columns that number the rows, if these are a grid.
    """

    name: str
    said: tuple[str, ...] = ()
    rows: Callable[[Values], list[Values]] = _none
    axes: Callable[[Values], tuple[str, ...]] = _no_axes


def form_of(document: Values) -> Form:
    """The form of a document; one without a table if its kind is not listed here."""
    kind = document.get("lapwing", "profile")  # early profiles do not say
    return FORMS.get(kind, Form(str(kind).title().replace("-", "")))


def _field(name: str) -> Callable[[Values], list[Values]]:
    def rows(document: Values) -> list[Values]:
        found: list[Values] = document[name]
        return found

    return rows


def _axes(*names: str) -> Callable[[Values], tuple[str, ...]]:
    return lambda _: names


def _overheads(profile: Values) -> list[Values]:
    table = profile["overhead"]
    return [
        {
            "size": size,
            "burst": burst,
            "send": {"seconds": table["send"][row][column]},
            "receive": {"seconds": table["receive"][row]},
        }
        for row, size in enumerate(table["sizes"])
        for column, burst in enumerate(table["bursts"])
    ]


def _messages(plan: Values) -> list[Values]:
    sizes = [size for size, count in plan["compact"]["runs"] for _ in range(count)]
    return [{"message": number, "size": size} for number, size in enumerate(sizes)]


def _sweeps(sweeps: Values) -> list[Values]:
    names = ("volume", "computation", "communication", "blocking", "plan", "hidden", "loss")
    found = [{name: each[name] for name in names if name in each} for each in sweeps["sweeps"]]
    for each in found:
        if "plan" in each:
            each["plan"] = {"seconds": each["plan"]["seconds"]}
    return found


def _varied(*names: str) -> Callable[[Values], tuple[str, ...]]:
    """The axes of cells: those of the names that they differ in, and the first."""

    def axes(sweep: Values) -> tuple[str, ...]:
        values = {name: {cell.get(name) for cell in sweep["cells"]} for name in names}
        return tuple(name for name in names if name == names[0] or len(values[name]) > 1)

    return axes


def _predicted(document: Values) -> tuple[str, ...]:
    every = ("algorithm",) if document["algorithm"] == "all" else ()
    return (*every, "ranks", "size")


def _validated(document: Values) -> tuple[str, ...]:
    strided = any("packed" in each for each in document["results"])
    return ("operation", "algorithm", "ranks", "size", *(("packed",) if strided else ()))


def _exchanges(document: Values) -> Iterator[Values]:
    names = ("operation", "count", "peers", "sent", "received", "initiating", "waiting")
    for each in document["exchanges"]:
        told = {"call": site_name(document["calls"][each["call"]])}
        told |= {name: each[name] for name in (*names, "saved", "saved_in_all", "verdict")}
        yield told


def _times_of_ranks(document: Values) -> list[Values]:
    return [{"rank": rank, "time": time} for rank, time in enumerate(document["rank_times"])]


def _ends_of_ranks(document: Values) -> list[Values]:
    return [{"rank": rank, "finish_ns": t} for rank, t in enumerate(document["rank_finish_ns"])]


def _sizes(benchmarks: Values) -> list[Values]:
    measured = [name for name in ("half_round_trip", "bandwidth") if name in benchmarks]
    return [
        {"size": size, **{name: benchmarks[name][row] for name in measured}}
        for row, size in enumerate(benchmarks["sizes"])
    ]


def _entries(sections: Values) -> list[Values]:
    return [
        {"section": name, **entry}
        for name, section in sections.items()
        for entry in (section if isinstance(section, list) else [section])
        if name not in ("lapwing", "provenance") and isinstance(entry, dict)
    ]


FORMS = {
    "profile": Form(
        "Profile",
        (
            "machine.target",
            "machine.name",
            *(f"loggp.{name}" for name in ("L", "o_s", "o_r", "g", "G")),
            "queue_depth",
        ),
        _overheads,
        _axes("size", "burst"),
    ),
    "plan": Form(
        "Plan",
        ("pattern", "volume", "compute", "count", "window", "predicted", "limit", "blocking"),
        _messages,
        _axes("message"),
    ),
    "sensitivity": Form(
        "Sensitivity", ("over.changes", "over.worst", "under.changes", "under.worst")
    ),
    "sweep": Form(
        "Sweep",
        ("pattern", "ranks", "volume", "computation", "blocking", "plan", "hidden", "loss"),
        _field("cells"),
        _varied("message", "burst", "window", "template"),
    ),
    "sweeps": Form("Sweeps", (), _sweeps, _axes("volume")),
    "predict": Form(
        "Predictions", ("operation", "algorithm", "model", "ppn"), _field("predictions"), _predicted
    ),
    "validate": Form(
        "Validation",
        ("target", "mpi", "summary.cells", "summary.mean", "summary.worst"),
        _field("results"),
        _validated,
    ),
    "fit": Form(
        "Fit",
        ("points", "fitted.median", "held_out.median", "interval.low", "interval.high"),
        _field("parameters"),
        _axes("name"),
    ),
    "observe": Form(
        "Observation",
        ("ranks", "complete", "time", "computation", "exit_status"),
        lambda document: list(_exchanges(document)),
    ),
    "replay": Form(
        "Replay", ("ranks", "time", "communication", "messages"), _times_of_ranks, _axes("rank")
    ),
    "simulate": Form(
        "Simulation",
        ("finish_ns", "events", "messages", "predicted"),
        _ends_of_ranks,
        _axes("rank"),
    ),
    "measurements": Form("Measurements", (), _field("cells")),
    "diff": Form("Diff", ("threshold", "compared"), _field("changes")),
    "benchmarks": Form("Benchmarks", ("measured",), _sizes, _axes("size")),
    "sections": Form("Sections", (), _entries),
    "machines": Form(
        "Machines", (), lambda document: [{"name": name} for name in document["machines"]]
    ),
}

"""Tables of sweeps: the map of all ways with equal messages, and one line of judgement."""

from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from ..results.sentences import (
    messages_in_words,
    of_schedule,
    polling_in_words,
    sweep_judgement,
    way_in_words,
)
from ..units import show_seconds, show_share, show_size
from .layout import table, titled, warnings
from .plan import PACKINGS


def sweep_tables(result: dict[str, Any]) -> list[RenderableType]:
    """The map of a sweep document's cells, the runs that were compared, and the judgement."""
    parts: list[RenderableType] = []
    if result["cells"]:
        parts += [*_maps(result), Text(_legend(result), style="dim"), ""]
    parts.append(_compared(result))
    plan = result.get("plan")
    if plan:
        polling = polling_in_words(plan["poll_interval"]["seconds"], plan["poll_reason"])
        parts.append(Text(f"polling {polling}", style="dim"))
    return [*parts, "", sweep_judgement(result)]


def volumes_table(results: list[dict[str, Any]]) -> Group:
    """A line for each sweep of one workload over several volumes."""
    made = table(
        ("volume", "right"),
        ("blocking", "right"),
        ("equal sizes", "right"),
        ("", "left"),
        ("paper", "right"),
        ("plan", "right"),
        ("hidden", "right"),
        ("loss", "right"),
    )
    for result in results:
        best, plan = result.get("best"), result.get("plan")
        paper = result.get("paper")
        hidden, loss = result.get("hidden"), result.get("loss")
        made.add_row(
            show_size(result["volume"]),
            show_seconds(result["blocking"]["seconds"]),
            show_seconds(best["seconds"]) if best else "",
            _way_in_short(best) if best else "",
            show_seconds(paper["seconds"]) if paper else "",
            show_seconds(plan["seconds"]) if plan else "",
            show_share(hidden) if hidden is not None else "",
            f"{100 * loss:+.1f} %" if loss is not None else "",
        )
    first = results[0]
    return titled(f"{first['pattern'].capitalize()} on {first['ranks']} ranks", made)


def mismatch(profile: dict[str, Any], result: dict[str, Any], target: str) -> list[RenderableType]:
    """A warning if the profile is not of the machine that the workload ran on."""
    if result.get("warnings"):
        return list(warnings(result["warnings"]))
    # Without a fingerprint in the profile, only its target can be compared.
    measured = profile["machine"].get("target", "")
    if profile.get("fingerprint") or not measured or _place_of(measured) == _place_of(target):
        return []
    return list(warnings([f"the profile was measured on {measured}, not on {target}"]))


def _maps(result: dict[str, Any]) -> list[RenderableType]:
    """The map of each schedule, one below the other."""
    schedules = dict.fromkeys(cell["template"] for cell in result["cells"])
    if len(schedules) == 1:
        return [_map(result, *schedules)]
    return [part for name in schedules for part in (_map(result, name, f", schedule {name}"), "")]


def _map(result: dict[str, Any], schedule: str, said: str = "") -> Group:
    """Message sizes down, bursts or windows across, each cell with the best order of peers.

    A cell has the share hidden, or the time if there is nothing to hide.
    """
    cells: dict[tuple[int, int], float] = {}
    for cell in (cell for cell in result["cells"] if cell["template"] == schedule):
        cells[_place(cell)] = min(cell["seconds"], cells.get(_place(cell), cell["seconds"]))
    columns = sorted({column for _, column in cells})

    def place_of(name: str) -> tuple[int, int] | None:
        there = name in result and result[name]["template"] == schedule
        return _place(result[name]) if there else None

    best, paper = place_of("best"), place_of("paper")
    shares = result["best"]["hidden"] is not None
    letter = _letter(result["cells"][0])
    made = table(("S", "right"))
    for column in columns:
        made.add_column(f"{letter}={column}", justify="right", header_style="dim", no_wrap=True)
    for size in sorted({size for size, _ in cells}):
        row = [Text(show_size(size))]
        for column in columns:
            seconds = cells.get((size, column))
            if seconds is None:
                row.append(Text(""))
                continue
            shown = _percent(_hidden(result, seconds)) if shares else f"{seconds * 1e3:.4g}"
            place = (size, column)
            mark = ("*" if place == best else "") + ("p" if place == paper else "")
            row.append(Text(f"{mark}{shown}", style="bold" if mark else ""))
        made.add_row(*row)
    what = "Share of communication hidden, in per cent" if shares else "Time, ms"
    return titled(what + said, made)


def _legend(result: dict[str, Any]) -> str:
    column = "b burst" if _letter(result["cells"][0]) == "b" else "w messages in flight"
    said = f"S message size, {column}; * the best"
    if "paper" not in result:
        return said
    outside = all(_place(cell) != _place(result["paper"]) for cell in result["cells"])
    aside = f" ({show_size(result['paper']['message'])}, not on the map)" if outside else ""
    return f"{said}, p the paper's choice{aside}"


def _compared(result: dict[str, Any]) -> Group:
    made = table(("", "left"), ("time", "right"), ("hidden", "right"), ("", "left"))

    def row(name: str, seconds: float, what: str, bold: bool = False) -> None:
        hidden = _hidden(result, seconds)
        share = show_share(hidden) if hidden is not None else ""
        style = "bold" if bold else ""
        made.add_row(name, show_seconds(seconds), share, Text(what), style=style)

    row("blocking", result["blocking"]["seconds"], "all communication and all computation")
    if "paper" in result:
        row("paper", result["paper"]["seconds"], _uniform(result["paper"]))
    if "best" in result:
        row("equal sizes", result["best"]["seconds"], _uniform(result["best"]))
    if "plan" in result:
        plan = result["plan"]
        way = messages_in_words(plan) + _in_order(plan) + _packed(plan)
        row("plan", plan["seconds"], way, bold=True)
        predicted = plan["predicted"]["seconds"]
        off = abs(predicted / plan["seconds"] - 1)
        made.add_row("  predicted", show_seconds(predicted), "", f"{show_share(off, 1)} off")
        made.add_row("limit", show_seconds(result["limit"]["seconds"]), "", "no messages beat this")
    for name in ("computation", "communication"):
        made.add_row(name, show_seconds(result[name]["seconds"]), "", "alone")
    return titled(_title(result), made)


def _title(result: dict[str, Any]) -> str:
    size = show_size(result["volume"])
    computation = f"computation {result['ratio']:.3g} times communication"
    if result["pattern"] == "stream":
        gaps = ", with gaps" if result["stride"] != result["block"] else ""
        return f"Stream of {size}{gaps}, {computation}"
    drift = "" if result["balanced"] else ", adrift"
    drift += "" if result["sizes_known"] else ", sizes unknown"
    return (
        f"{result['pattern'].capitalize()} ({result['direction']}) of {size} on "
        f"{result['ranks']} ranks{drift}, {computation}"
    )


def _place_of(target: str) -> list[str]:
    """A target without its number of ranks."""
    return target.split(":")[: 1 if target.startswith("mpi") else 2]


def _uniform(cell: dict[str, Any]) -> str:
    return f"messages of {way_in_words(cell)}{_in_order(cell)}{_packed(cell)}"


def _way_in_short(cell: dict[str, Any]) -> str:
    size, column = _place(cell)
    return f"{show_size(size)}, {_letter(cell)}={column}{of_schedule(cell)}"


def _in_order(way: dict[str, Any]) -> str:
    """The order of the peers, if it is not the usual one."""
    order = "" if way["order"] == "contiguous" else f", {way['order']}"
    return order + ("" if way["staggered"] else ", all in the same order")


def _packed(way: dict[str, Any]) -> str:
    """How strided data is sent."""
    words = PACKINGS.get(way.get("packing", ""), "")
    return f", {words}" if words else ""


def _letter(cell: dict[str, Any]) -> str:
    return "w" if cell["burst"] is None else "b"


def _place(cell: dict[str, Any]) -> tuple[int, int]:
    return cell["message"], cell["window"] if cell["burst"] is None else cell["burst"]


def _hidden(result: dict[str, Any], seconds: float) -> float | None:
    hideable = min(result["computation"]["seconds"], result["communication"]["seconds"])
    if hideable <= 0:
        return None
    share: float = (result["blocking"]["seconds"] - seconds) / hideable
    return share


def _percent(share: float | None) -> str:
    """Five characters at most."""
    if share is None:
        return ""
    percent = 100 * share
    if abs(percent) < 9999.5:
        return f"{percent + 0.0:.0f}" if abs(percent) >= 0.5 else "0"
    return f"{percent:.0e}".replace("e+0", "e").replace("e+", "e")

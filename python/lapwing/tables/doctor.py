"""Tables of what the doctor measured and found."""

from collections.abc import Callable
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from ..doctor import USES
from ..units import printable, show_rate, show_seconds, show_share, show_size
from .layout import table, titled, warnings

_STYLES = {"broken": "bold red", "help": "bold yellow", "note": "bold"}
_QUANTITIES: dict[str, Callable[[float], str]] = {
    "hidden": show_share,
    "bandwidth": show_rate,
    "slowdown": lambda slowdown: f"{slowdown:.2f} times",
}
_VERDICTS = {
    "fine": ("Overlap is fine", "green"),
    "needs help": ("Overlap needs help", "yellow"),
    "broken": ("Overlap is broken", "red"),
}


def doctor_tables(document: dict[str, Any]) -> list[RenderableType]:
    """The shares of a doctor document, each finding with its advice, and the verdict."""
    parts: list[RenderableType] = [_shares(document["measured"]["measurements"]), ""]
    if both_ways := document["measured"].get("both_ways"):
        parts += [_both_ways(both_ways), ""]
    for finding in document["findings"]:
        parts += [*_finding(finding), ""]
    return [*parts, *warnings(document["measured"]["warnings"]), _verdict(document)]


def _shares(rows: list[dict[str, Any]]) -> Group:
    made = table(
        ("transport", "left"),
        ("by", "left"),
        ("computes", "left"),
        ("size", "right"),
        ("alone", "right"),
        *((words, "right") for words in USES.values()),
    )
    before = ("", "", "")
    for row in rows:
        names = row["transport"], row["operation"], row["computes"]
        shown = names if names != before else ("", "", "")
        before = names
        seconds = row["unattended"]["communication"]["seconds"] / row["messages"]
        shares = (_share(row[use]) for use in USES)
        made.add_row(*shown, show_size(row["size"]), show_seconds(seconds), *shares)
    title = "Share of the communication that computation of the same length hides"
    return titled(title, made)


def _both_ways(rows: list[dict[str, Any]]) -> Group:
    windows = sorted({row["in_flight"] for row in rows})
    made = table(
        ("size", "right"),
        ("one way", "right"),
        *((f"{window} in flight", "right") for window in windows),
    )
    for size in sorted({row["size"] for row in rows}):
        found = {row["in_flight"]: row for row in rows if row["size"] == size}
        first = found[min(found)]
        seconds = first["one_way"]["seconds"] / first["messages"]
        slowed = (_slowdown(found[window]) if window in found else "" for window in windows)
        made.add_row(show_size(size), show_seconds(seconds), *slowed)
    return titled("Slowdown of messages both ways at once", made)


def _slowdown(row: dict[str, Any]) -> str:
    error = f" ±{row['error']:.1f}" if row["error"] > 0.1 else ""
    return f"{row['slowdown']:.2f}{error}"


def _share(measured: dict[str, Any]) -> str:
    """`97 %`, with its error if that is large."""
    error = measured["error"]
    return show_share(measured["hidden"]) + (f" ±{100 * error:.0f}" if error > 0.1 else "")


def _finding(finding: dict[str, Any]) -> list[RenderableType]:
    parts: list[RenderableType] = [
        Text(printable(finding["what"]), style=_STYLES[finding["severity"]]),
        Padding(Text(printable(finding["evidence"]), style="dim"), (0, 0, 0, 2), expand=False),
    ]
    for advice in sorted(finding["advice"], key=lambda advice: not advice["recommended"]):
        line = Text(f"- {printable(advice['do'])}")
        tried = advice["tried"]
        if tried is not None:
            line.append(f" ({_tried(tried)})", style="" if tried["helped"] else "dim")
        if not advice["recommended"]:
            line.stylize("dim")
        parts.append(Padding(line, (0, 0, 0, 2), expand=False))
    return parts


def _tried(tried: dict[str, Any]) -> str:
    """The outcome of a trial: `tried: 5 % -> 98 %`."""
    if tried["after"] is None:
        return f"tried: failed: {printable(tried['reason'])}"
    show = _QUANTITIES[tried["quantity"]]
    before, after = show(tried["before"]), show(tried["after"])
    return f"tried: {'' if tried['helped'] else 'no help, '}{before} -> {after}"


def _verdict(document: dict[str, Any]) -> Text:
    words, style = _VERDICTS[document["verdict"]]
    limits = document["thresholds"]
    least = show_size(limits["from"])
    why = {
        "fine": f"messages of {least} and more hide by {show_share(limits['fine'])} or more with "
        "nothing called meanwhile.",
        "needs help": f"messages of {least} and more can be hidden by "
        f"{show_share(limits['broken'])} or more, but not all of them by themselves.",
        "broken": f"some message of {least} or more is hidden by less than "
        f"{show_share(limits['broken'])}, whatever the program does.",
    }
    return Text.assemble(
        (words, f"bold {style}"), f" on {document['target']}: ", why[document["verdict"]]
    )

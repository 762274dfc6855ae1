"""A profile for people."""

from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from ..units import show_seconds, show_share, show_size
from .layout import facts, table, titled, warnings

_MEANING = {
    "L": "wire latency, one way",
    "o_s": "overhead of a send",
    "o_r": "overhead of a receive",
    "g": "least time between two short messages",
    "G": "per byte of a long message",
}


def profile_tables(profile: dict[str, Any]) -> list[RenderableType]:
    """The tables of a profile document."""
    depth = profile["queue_depth"]
    reason = profile.get("queue_depth_reason") or "no reason given"
    queue = f"{depth} messages, then initiation blocks" if depth else f"none: {reason}"
    nic = {
        "serialising": "one message after another (serialising)",
        "sharing": "messages under way share its bandwidth (sharing)",
    }
    parts: list[RenderableType] = [
        facts("Machine", list(profile["machine"].items())),
        "",
        _loggp(profile["loggp"], profile.get("error", {})),
        "",
    ]
    if profile["overhead"]["sizes"]:
        parts += [_overhead(profile["overhead"]), ""]
    if profile["bandwidth"]["sizes"]:
        parts += [_bandwidth(profile["bandwidth"], profile.get("progress", {})), ""]
    parts.append(
        facts("Interface", [("messages", nic[profile.get("nic", "serialising")]), ("queue", queue)])
    )
    return parts + list(warnings(profile.get("warnings", [])))


def _loggp(loggp: dict[str, float], error: dict[str, float]) -> Group:
    made = table(("", "left"), ("value", "right"), ("error", "right"), ("", "left"))
    for name, meaning in _MEANING.items():
        value = loggp[name]
        shown = show_seconds(value)
        if name == "G":
            shown = f"{value * 1e9:.4g} ns/B"
            meaning += f" ({1e-6 / value:.4g} MB/s)"
        made.add_row(name, shown, show_share(error.get(name, 0), 1), Text(meaning, style="dim"))
    return titled("LogGP", made)


def _overhead(overhead: dict[str, Any]) -> Group:
    made = table(("S", "right"))
    for heading in [*(f"b={burst}" for burst in overhead["bursts"]), "o_r"]:
        made.add_column(heading, justify="right", header_style="dim", no_wrap=True)
    rows = zip(overhead["sizes"], overhead["send"], overhead["receive"], strict=True)
    for size, send, receive in rows:
        made.add_row(show_size(size), *map(_microseconds, [*send, receive]))
    return titled("Overhead of a message, us: o_s(S, b) and o_r(S)", made)


def _bandwidth(bandwidth: dict[str, Any], progress: dict[str, Any]) -> Group:
    made = table(
        ("S", "right"),
        ("one way", "right"),
        ("both ways", "right"),
        ("alone", "right"),
        ("polled", "right"),
        ("window", "right"),
    )
    hidden = {
        size: (show_share(alone), show_share(polled), str(window))
        for size, alone, polled, window in zip(
            progress.get("sizes", []),
            progress.get("unattended", []),
            progress.get("polled", []),
            progress.get("window", []),
            strict=True,
        )
    }
    rows = zip(
        bandwidth["sizes"], bandwidth["unidirectional"], bandwidth["bidirectional"], strict=True
    )
    for size, one, both in rows:
        rates = f"{one / 1e6:.4g}", f"{both / 1e6:.4g}"
        made.add_row(show_size(size), *rates, *hidden.get(size, ()))
    return titled(
        "Bandwidth, MB/s (1 MB/s is 1e6 bytes/s), and what advances while computing", made
    )


def _microseconds(value: float) -> str:
    return f"{value * 1e6:.3g}" if value < 1e-3 else f"{value * 1e6:.0f}"

"""The tables of a profile: the essentials of every section, or all of some sections."""

from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from ... import _core
from ...units import printable, show_rate, show_seconds, show_share, show_size
from ..layout import facts, table, titled, warnings
from ..numbers import megabytes, microseconds
from . import imported, log3p, operations, pairs, patterns, plogp
from .protocol import protocol_facts
from .topology import topology_facts

_Show = Callable[[Any], list[RenderableType]]

_MEANING = {
    "L": "wire latency, one way",
    "o_s": "overhead of a send",
    "o_r": "overhead of a receive",
    "g": "least time between two short messages",
    "G": "per byte of a long message",
}


def profile_tables(profile: dict[str, Any]) -> list[RenderableType]:
    """The essentials of every section that a profile document has."""
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
    parts.append(_interface(profile))
    there = [name for name in SECTIONS if profile.get(name)]
    for name in there:
        parts += ["", *SECTIONS[name][0](profile[name])]
    parts += warnings(profile.get("warnings", []))
    if more := [name for name in there if name not in _COMPLETE]:
        parts += ["", Text(f"More: --section {', '.join(more)}", style="dim")]
    return parts


def section_tables(profile: dict[str, Any], names: Sequence[str]) -> list[RenderableType]:
    """All of the sections `names`, which the profile has."""
    parts: list[RenderableType] = []
    for name in names:
        for part in SECTIONS[name][1](profile[name]):
            parts += [part, ""]
    return parts[:-1]


def _interface(profile: dict[str, Any]) -> Group:
    depth = profile["queue_depth"]
    reason = profile.get("queue_depth_reason") or "no reason given"
    queue = (
        f"{depth} messages, then initiation waits or takes longer" if depth else f"none: {reason}"
    )
    nic = {
        "serialising": "one message after another (serialising)",
        "sharing": "messages in flight share its bandwidth (sharing)",
    }
    shown = [("messages", nic[profile.get("nic", "serialising")]), ("queue", queue)]
    if size := profile.get("in_order_up_to"):
        shown.insert(1, ("in order", f"those of up to {show_size(size)} one after another"))
    if (clock := profile.get("clock_ratio", 1)) < 1:
        shown.append(("clock", f"usually {clock:.0%} of the fastest, which the figures are for"))
    parts = profile.get("environment", {})
    best = {
        name: show_seconds(indicator["value"])
        for name, indicator in _core.best_environment([*parts.values()]).items()
    }
    if line := best.get("cache_line_seconds"):
        shown.append(("cores", f"a cache line takes {line} from one to the other"))
    if "core_throughput_seconds" in best and "syscall_seconds" in best:
        words = (
            f"some additions take {best['core_throughput_seconds']}, "
            f"some messages through the kernel {best['syscall_seconds']}"
        )
        shown.append(("undisturbed", words))
    counts = _core.near_best_environment([*parts.values()], 0)
    if worse := [part for part, each in zip(parts, counts, strict=True) if not each]:
        words = "measured while processors were worse off than that; --wait gives them more time"
        shown.append(("disturbed", f"{', '.join(worse)}: {words}"))
    return facts("Interface", shown)


def _loggp(loggp: dict[str, float], error: dict[str, float]) -> Group:
    made = table(("", "left"), ("value", "right"), ("error", "right"), ("", "left"))
    for name, meaning in _MEANING.items():
        value = loggp[name]
        shown = show_seconds(value)
        if name == "G":
            shown = f"{value * 1e9:.4g} ns/B"
            meaning += f" ({1e-6 / value:.4g} MB/s)"
        # A latency of 0 was too short to tell: no error belongs to it.
        of_it = show_share(error.get(name, 0), 1) if value else ""
        made.add_row(name, shown, of_it, Text(meaning, style="dim"))
    return titled("LogGP", made)


def _overhead(overhead: dict[str, Any]) -> Group:
    made = table(("S", "right"))
    for heading in [*(f"b={burst}" for burst in overhead["bursts"]), "o_r"]:
        made.add_column(heading, justify="right", header_style="dim", no_wrap=True)
    rows = zip(overhead["sizes"], overhead["send"], overhead["receive"], strict=True)
    for size, send, receive in rows:
        made.add_row(show_size(size), *map(microseconds, [*send, receive]))
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
    hidden = _async_progress(progress)
    rows = zip(
        bandwidth["sizes"], bandwidth["unidirectional"], bandwidth["bidirectional"], strict=True
    )
    for size, one, both in rows:
        rates = (megabytes(rate) if rate else "-" for rate in (one, both))
        made.add_row(show_size(size), *rates, *hidden.get(size, ()))
    shown = titled(
        "Bandwidth, MB/s (1 MB/s is 1e6 bytes/s), and what advances while computing", made
    )
    taken = [
        (f"by a rank that {does}", f"{progress[name] * 1e9:.3g} ns/B")
        for name, does in (("O_s", "sends"), ("O_r", "receives"), ("O_both", "does both"))
        if progress.get(name)
    ]
    parts: list[RenderableType] = [shown]
    for entry in progress.get("exposed_time", []):
        parts += ["", _exposed_time(entry)]
    if taken:
        parts += ["", facts("Taken of a computation meanwhile", taken)]
    return Group(*parts)


def _exposed_time(entry: dict[str, Any]) -> RenderableType:
    made = table(("S", "right"), ("alone", "right"), ("polled", "right"), ("window", "right"))
    columns = (entry[name] for name in ("sizes", "exposed", "exposed_polled", "window"))
    for size, alone, polled, window in zip(*columns, strict=True):
        made.add_row(show_size(size), microseconds(alone), microseconds(polled), str(window))
    message = {"receive": "a received message", "both": "a message both ways"}[entry["traffic"]]
    kind = ", independent" if entry["independent"] else ""
    return titled(
        f"Exposed time of {message}{kind}, computation {entry['computation']:g} x wire, us", made
    )


def _async_progress(progress: dict[str, Any]) -> dict[int, tuple[str, str, str]]:
    """For each size: the share hidden without polling and with it, and the window."""
    columns = (
        progress.get(name, []) for name in ("sizes", "without_polling", "with_polling", "window")
    )
    return {
        size: (show_share(alone), show_share(polled), str(window))
        for size, alone, polled, window in zip(*columns, strict=True)
    }


def _latency_ends(latency: dict[str, Any]) -> list[RenderableType]:
    if not latency["sizes"]:
        return []
    least, largest = (show_size(latency["sizes"][place]) for place in (0, -1))
    trip = f"{show_seconds(latency['half_round_trip'][0])} for half a round trip of {least}"
    last = latency["bandwidth"][-1]
    rate = f"{show_rate(last)} in messages of {largest}" if last else "not measured"
    return [
        facts("As IMB PingPong and OSU bw measure it", [("latency", trip), ("bandwidth", rate)])
    ]


def _latency(latency: dict[str, Any]) -> list[RenderableType]:
    made = table(("S", "right"), ("half round trip, us", "right"), ("MB/s", "right"))
    columns = (latency[name] for name in ("half_round_trip", "bandwidth"))
    for size, trip, rate in zip(latency["sizes"], *columns, strict=True):
        made.add_row(show_size(size), microseconds(trip), megabytes(rate) if rate else "-")
    return [titled("As IMB PingPong and OSU bw measure it", made)]


def _kernels(kernels: dict[str, float]) -> list[RenderableType]:
    rows = [
        (name, f"{rate / 1e9:.4g} {'GFlop/s' if name == 'fft' else 'GB/s'}")
        for name, rate in kernels.items()
    ]
    return [facts("Computation of one core", rows)]


def _collectives(costs: dict[str, float]) -> list[RenderableType]:
    rows = [
        ("combining", f"{costs['combine'] * 1e9:.3g} ns/B"),
        ("copying", f"{costs['copy'] * 1e9:.3g} ns/B"),
    ]
    if costs.get("node_copy"):
        rows.append(("copying, all ranks of a node", f"{costs['node_copy'] * 1e9:.3g} ns/B"))
    if costs["pack"]:
        rows.append(("packing a message", show_seconds(costs["pack"])))
    if costs["exchange"] or costs["exchange_per_byte"]:
        longer = (
            f"{show_seconds(costs['exchange'])} and {costs['exchange_per_byte'] * 1e9:.3g} ns/B"
        )
        rows.append(("sending while receiving", f"{longer} longer"))
    unexpected, per_byte = costs.get("unexpected", 0), costs.get("unexpected_per_byte", 0)
    if unexpected or per_byte:
        longer = f"{show_seconds(unexpected)} and {per_byte * 1e9:.3g} ns/B"
        rows.append(("unexpected messages", f"{longer} longer"))
    if costs["fresh"]:
        rows.append(("temporary buffers of 32 MB", f"{costs['fresh'] * 1e9:.3g} ns/B"))
    if costs["skew"] or costs["skew_per_doubling"]:
        skew = f"{show_seconds(costs['skew'])} and {show_seconds(costs['skew_per_doubling'])}"
        rows.append(("skew", f"{skew} for each doubling of the ranks"))
    if costs["low"] < costs["high"]:
        interval = f"{costs['low']:.2f} to {costs['high']:.2f}"
        rows.append(("nine of ten lie", f"{interval} x prediction"))
    return [facts("Collectives, besides their messages", rows)]


def _algorithms(algorithms: list[dict[str, Any]]) -> list[RenderableType]:
    made = table(("operation", "left"), ("algorithm", "left"), ("size", "right"), ("x", "right"))
    for each in algorithms:
        names = (printable(each["operation"]), printable(each["algorithm"]))
        for size, factor in zip(each["sizes"], each["factors"], strict=True):
            made.add_row(*names, show_size(size), f"{factor:.2f}")
            names = ("", "")
    return [titled("What the library's algorithms take, by what the model says", made)]


def _some_interpolated(places: list[str]) -> list[RenderableType]:
    shown = f"Entries interpolated from their neighbours: {len(places)}"
    return [Text(shown, style="dim")]


def _interpolated(places: list[str]) -> list[RenderableType]:
    title = Text("Entries interpolated from their neighbours", style="bold")
    return [Group(title, *(Text(printable(place)) for place in places))]


# The essentials and the whole of each section, in the order of the profile.
SECTIONS: dict[str, tuple[_Show, _Show]] = {
    "latency": (_latency_ends, _latency),
    "plogp": (plogp.brief, plogp.full),
    "log3p": (log3p.brief, log3p.full),
    "protocol": (protocol_facts, protocol_facts),
    "topology": (topology_facts, topology_facts),
    "operations": (operations.brief, operations.full),
    "pairs": (pairs.brief, pairs.full),
    "patterns": (patterns.brief, patterns.full),
    "collectives": (_collectives, _collectives),
    "algorithms": (_algorithms, _algorithms),
    "kernels": (_kernels, _kernels),
    "imported": (imported.brief, imported.full),
    "interpolated": (_some_interpolated, _interpolated),
}
# Sections whose essentials are all there is.
_COMPLETE = ("protocol", "topology", "collectives", "algorithms", "kernels")

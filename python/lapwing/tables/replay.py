"""The tables of a replayed program."""

from statistics import median
from typing import Any

from rich.console import Group

from ..units import show_seconds, show_share
from .layout import facts, table, titled


def replay_table(result: dict[str, Any], trace: str | None) -> Group:
    """The table of a replay document. trace: the file with its time line, if there is one."""
    times = [time["seconds"] for time in result["rank_times"]]

    def at(rank: int) -> str:
        return f"{show_seconds(times[rank])}, rank {rank}"

    def told(of: dict[str, Any] | None) -> str:
        if of is None:
            return ""
        share = show_share(of["communication"])
        return f"{show_seconds(of['time']['seconds'])}, {share} of it communication"

    return facts(
        f"{result['events']} events, {result['messages']} messages, {len(times)} ranks",
        [
            ("time", told(result)),
            ("when recorded", told(result.get("recorded"))),
            ("first to end", at(times.index(min(times)))),
            ("last to end", at(times.index(max(times)))),
            ("median rank", show_seconds(median(times))),
            ("time line", f"{trace}: open it at ui.perfetto.dev" if trace else ""),
        ],
    )


_VARIED = {"L": "latency", "G": "time per byte", "o": "overhead"}


def tolerance_tables(result: dict[str, Any]) -> list[Group]:
    """A table of what the program tolerates, if the document says it."""
    if "tolerance" not in result:
        return []
    found = result["tolerance"]
    shares = [zone["share"] for zone in found["L"]["zones"]]
    made = table(
        ("", "left"), ("counts", "right"), *((f"+{show_share(share)}", "right") for share in shares)
    )
    for name, told in found.items():
        made.add_row(
            f"{name}, {_VARIED[name]}",
            f"{told['slope']:.6g}",
            *(_more(zone) for zone in told["zones"]),
        )
    return [titled("how much larger each may be until the program takes so much longer", made)]


def _more(zone: dict[str, Any]) -> str:
    if "seconds_per_byte" in zone:
        rate = zone["seconds_per_byte"]
        return "any" if rate is None else f"{show_seconds(rate * 1e6)}/MB"
    return "any" if zone["seconds"] is None else show_seconds(zone["seconds"])

"""The table of a replayed program."""

from statistics import median
from typing import Any

from rich.console import Group

from ..units import show_seconds, show_share
from .layout import facts


def replay_table(result: dict[str, Any], trace: str | None) -> Group:
    """The table of a replay document. trace: the file with its time line, if there is one."""
    times = [time["seconds"] for time in result["rank_times"]]
    recorded = result["recorded"]

    def at(rank: int) -> str:
        return f"{show_seconds(times[rank])}, rank {rank}"

    def told(time: float, communication: float) -> str:
        return f"{show_seconds(time)}, {show_share(communication)} of it communication"

    return facts(
        f"{result['events']} events, {result['messages']} messages, {len(times)} ranks",
        [
            ("time", told(result["time"]["seconds"], result["communication"])),
            ("when recorded", told(recorded["time"]["seconds"], recorded["communication"])),
            ("first to end", at(times.index(min(times)))),
            ("last to end", at(times.index(max(times)))),
            ("median rank", show_seconds(median(times))),
            ("time line", f"{trace}: open it at ui.perfetto.dev" if trace else ""),
        ],
    )

"""The table of a simulated schedule."""

from statistics import median
from typing import TYPE_CHECKING

from rich.console import Group

from ..units import show_seconds
from .layout import facts

if TYPE_CHECKING:
    from .._core import Simulation


def simulate_table(result: "Simulation", trace: str | None) -> Group:
    """The table of a simulation. trace: the file with its time line, if there is one."""
    ranks = result.finish_list_ns()
    first, last = ranks.index(min(ranks)), ranks.index(max(ranks))

    def at(rank: int) -> str:
        return f"{show_seconds(ranks[rank] * 1e-9)}, rank {rank}"

    return facts(
        f"{result.events} events, {result.messages} messages, {len(ranks)} ranks",
        [
            ("finish", f"{result.finish_ns} ns"),
            ("last to end", at(last)),
            ("first to end", at(first)),
            ("median rank", show_seconds(median(ranks) * 1e-9)),
            ("time line", f"{trace}: open it at ui.perfetto.dev" if trace else ""),
        ],
    )

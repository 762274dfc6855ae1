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
            ("predicted", _predicted(result)),
            ("time line", f"{trace}: open it at ui.perfetto.dev" if trace else ""),
        ],
    )


def _predicted(result: "Simulation") -> str:
    """The time with local work, and the interval if there is one; empty if nothing is predicted."""
    made = result.predicted
    if made is None:
        return ""
    text = show_seconds(made.seconds)
    if made.low == made.high:
        return text
    between = f"{show_seconds(made.low)} and {show_seconds(made.high)}"
    return f"{text}, nine of ten measured times between {between}"

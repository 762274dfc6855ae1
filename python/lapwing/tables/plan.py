"""A plan for people."""

from typing import Any

from rich.console import Group

from ..units import show_seconds, show_share, show_size
from .layout import facts


def plan_table(plan: dict[str, Any]) -> Group:
    """The table of a plan document."""
    predicted = plan["predicted"]["seconds"]
    blocking = plan["blocking"]["seconds"]
    limit = plan["limit"]["seconds"]
    window = f"{plan['window']} in flight"
    if plan["burst"]:
        window += f", in bursts of {plan['burst']}"
    saved = blocking - predicted
    saving = (
        f"{show_seconds(saved)}, {show_share(saved / blocking)} of blocking" if blocking else ""
    )
    slack = predicted / limit - 1 if limit else 0
    near = "the limit" if abs(slack) < 5e-4 else f"{show_share(slack, 1)} above the limit"
    if slack < -5e-4:  # the paper's model, which is not played, may promise too much
        near = f"{show_share(-slack, 1)} below the limit: this model promises too much"
    pace, poll = plan["pace"], plan["poll_interval"]["seconds"]
    return facts(
        f"Plan for a {plan['pattern']} of {show_size(plan['volume'])} with "
        f"{show_seconds(plan['compute']['seconds'])} of computation ({plan['method']})",
        [
            ("messages", messages_in_words(plan)),
            ("window", window),
            ("pace", f"a message every {pace * 1e9:.4g} ns/B of it" if pace else ""),
            ("polling", polling_in_words(poll, plan["poll_reason"])),
            ("predicted", f"{show_seconds(predicted)}, {near}"),
            ("limit", f"{show_seconds(limit)}, set by {plan['bound']}"),
            ("blocking", show_seconds(blocking)),
            ("saved", saving),
        ],
    )


def polling_in_words(interval: float, reason: str) -> str:
    """How often the transport is polled while computing, seconds, and why."""
    return f"{f'every {show_seconds(interval)}' if interval else 'none'}: {reason}"


def messages_in_words(plan: dict[str, Any]) -> str:
    """The messages of a plan document: `119 messages, 360 B growing by 1.1 KB to 131 KB`."""
    compact, sizes = plan["compact"], plan["messages"]
    count = compact["count"]
    if count == 1:
        return f"1 message of {show_size(compact['volume'])}: not split"
    number = f"{count} messages"
    if sizes is None:
        return f"{number}, the first of {show_size(compact['runs'][0][0])}"
    # The last takes what remains, so it says little about the rest.
    body, tolerance = sizes[:-1], 2 * compact["grain"]
    if max(body) - min(body) <= tolerance and sizes[-1] <= body[0] + tolerance:
        return f"{number} of {show_size(body[0])}"
    ahead = _alike(sizes, tolerance)
    behind = _alike(sizes[::-1][1:], tolerance) + 1 if len(sizes) > 2 else 1
    ahead, behind = (ahead if ahead > 2 else 0), (behind if behind > 3 else 0)
    if ahead + behind >= count:
        ahead = 0
    chain = sizes[ahead : count - behind]
    parts = [f"{ahead} of {show_size(sizes[0])}"] if ahead else []
    parts.append(_chain(chain) if len(chain) > 1 else f"one of {show_size(chain[0])}")
    if behind:
        parts.append(f"{behind} of {show_size(sizes[-2])}")
    return f"{number}, " + ", then ".join(parts)


def _alike(sizes: list[int], tolerance: int) -> int:
    """How many sizes at the start are the same."""
    return next((i for i, size in enumerate(sizes) if abs(size - sizes[0]) > tolerance), len(sizes))


def _chain(sizes: list[int]) -> str:
    """A chain from its first size to its last, and by how much each differs from the one before."""
    first, last = sizes[0], sizes[-1]
    steps = len(sizes) - 1
    # Said as multiplication or as addition, by whether the steps grow with the sizes.
    low, high = sorted((abs(last - sizes[-2]), abs(sizes[1] - first)))
    multiplied = steps > 1 and high > 2 * low
    by = show_share(abs((last / first) ** (1 / steps) - 1))
    if not multiplied:
        by = show_size(abs(last - first) / steps)
    verb = "growing" if last > first else "shrinking"
    return f"{show_size(first)} {verb} by {by} to {show_size(last)}"

"""Sentences that documents amount to: plans in words, and judgements of sweeps."""

from typing import Any

from ..units import show_seconds, show_share, show_size

# Differences below this share of the blocking time are noise.
_ALIKE = 0.005
# A share hidden that is printed as more than 100 %.
_OVER = 1.005


def sweep_judgement(result: dict[str, Any]) -> str:
    """One sentence: what the plan hides, against the best way with equal messages and the limit."""
    if "plan" not in result:
        return "Nobody has planned this: see the warning."
    plan, blocking = result["plan"]["seconds"], result["blocking"]["seconds"]
    hidden = result["hidden"]
    if hidden is None:
        return "There is nothing to hide: communication and computation do not meet."
    if plan > blocking * (1 + noise(result)):
        return (
            f"The plan does not pay: it takes {show_share(plan / blocking - 1, 1)} longer than "
            "blocking."
        )
    sentence = f"The plan hides {show_share(hidden)} of what could be hidden"
    if hidden >= _OVER:
        sentence += ", since messages in flight also shorten the communication"
    if "best" in result:
        points = 100 * (hidden - result["best"]["hidden"])
        best = f"the best of {len(result['cells'])} ways with equal messages "
        best += f"({way_in_words(result['best'])})"
        loss = result["loss"]
        if abs(loss) <= _ALIKE and abs(points) < 1:
            sentence += f", as much as {best}"
        elif loss < 0:
            sentence += f", {points:.0f} points more than {best}"
        else:
            sentence += f", {-points:.0f} points less than {best}"
    above = 1 / result["efficiency"] - 1
    reach = "reaches the limit" if above < 5e-4 else f"stays {show_share(above, 1)} above the limit"
    if result["pattern"] != "stream":
        reach += f" ({show_share(result['reached'])} of computation or communication alone)"
    return f"{sentence}, and {reach}."


def pays(result: dict[str, Any]) -> bool:
    """Whether the planned run was not slower than the blocking one by more than the noise."""
    planned: float = result["plan"]["seconds"]
    blocking: float = result["blocking"]["seconds"]
    return planned <= blocking * (1 + noise(result))


def gains(result: dict[str, Any]) -> bool:
    """Whether the planned run was faster than the blocking one by more than the noise."""
    planned: float = result["plan"]["seconds"]
    blocking: float = result["blocking"]["seconds"]
    return planned < blocking * (1 - noise(result))


def noise(result: dict[str, Any]) -> float:
    """The relative difference between the blocking and the planned run that is noise."""
    errors: list[float] = [result[run].get("error", 0.0) for run in ("blocking", "plan")]
    return max(0.01, 2 * sum(errors))


def way_in_words(cell: dict[str, Any]) -> str:
    """The message size of a cell, and its burst or window."""
    size = show_size(cell["message"])
    if cell["burst"] is None:
        return f"{size}, {cell['window']} in flight"
    return f"{size} in bursts of {cell['burst']}{of_schedule(cell, ' of schedule ')}"


def of_schedule(cell: dict[str, Any], of: str = " of ") -> str:
    """The schedule of a cell behind `of`; nothing of the usual one, E, and of a pipeline."""
    schedule = cell["template"]
    return "" if schedule in ("E", "pipeline") else f"{of}{schedule}"


def compression_judgement(plan: dict[str, Any]) -> str:
    """One sentence: by how much the pipeline reduces the overhead, and what it hides."""
    if plan["overhead_reduction"] is None or plan["hidden"] is None:
        return "There is nothing to hide: collecting takes no time."
    return (
        f"The pipeline takes {show_share(plan['overhead_reduction'], 1)} of the overhead away, "
        f"hides {show_share(plan['hidden'], 1)} of what could be hidden, "
        f"and reaches {show_share(plan['efficiency'], 1)} of the limit."
    )


def polling_in_words(interval: float, reason: str) -> str:
    """How often the transport is polled while computing, and why. interval: seconds."""
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
    # The last message has what remains, so it says little about the others.
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
    """The number of sizes at the start that are the same within a tolerance."""
    return next((i for i, size in enumerate(sizes) if abs(size - sizes[0]) > tolerance), len(sizes))


def _chain(sizes: list[int]) -> str:
    """A chain of sizes: the first, the last, and the factor or the step between two."""
    first, last = sizes[0], sizes[-1]
    steps = len(sizes) - 1
    # A factor if the steps grow with the sizes, else a step.
    low, high = sorted((abs(last - sizes[-2]), abs(sizes[1] - first)))
    multiplied = steps > 1 and high > 2 * low
    by = show_share(abs((last / first) ** (1 / steps) - 1))
    if not multiplied:
        by = show_size(abs(last - first) / steps)
    verb = "growing" if last > first else "shrinking"
    return f"{show_size(first)} {verb} by {by} to {show_size(last)}"

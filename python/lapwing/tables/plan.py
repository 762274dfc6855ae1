"""Tables of plans."""

from typing import Any

from rich.console import Group

from ..results.sentences import messages_in_words, polling_in_words
from ..units import show_seconds, show_share, show_size
from .layout import facts


def plan_table(plan: dict[str, Any]) -> Group:
    """The table of a plan document."""
    predicted = plan["predicted"]["seconds"]
    blocking = plan["blocking"]["seconds"]
    limit = plan["limit"]["seconds"]
    window = f"{plan['window']} in flight"
    several = plan["peers"] > 1 and plan["pattern"] not in ("congested", "collective", "buckets")
    if several and plan["count"] > 1:
        window += f", {plan['order']} peers"
    if plan["burst"]:
        window += f", in bursts of {plan['burst']}"
    saved = blocking - predicted
    saving = (
        f"{show_seconds(saved)}, {show_share(saved / blocking)} of blocking" if blocking else ""
    )
    slack = predicted / limit - 1 if limit else 0
    near = "the limit" if abs(slack) < 5e-4 else f"{show_share(slack, 1)} above the limit"
    if slack < -5e-4:  # the paper's closed formula may predict less than the limit
        near = f"{show_share(-slack, 1)} below the limit: this model promises too much"
    pace, poll = plan["pace"], plan["poll_interval"]["seconds"]
    second = plan["runner_up"]
    runner_up = (
        f"{second['what']}: {show_seconds(second['predicted']['seconds'])}" if second else ""
    )
    return facts(
        f"Plan for {_workload_in_words(plan)} of {show_size(plan['volume'])} with "
        f"{show_seconds(plan['compute']['seconds'])} of computation ({plan['method']})",
        [
            ("messages", messages_in_words(plan)),
            ("window", window),
            ("pace", f"a message every {pace * 1e9:.4g} ns/B of it" if pace else ""),
            ("transport", f"{plan['transport']}: {plan['transport_reason']}"),
            ("packing", PACKINGS.get(plan["packing"], "")),
            ("polling", polling_in_words(poll, plan["poll_reason"])),
            ("predicted", f"{show_seconds(predicted)}, {near}"),
            ("limit", f"{show_seconds(limit)}, set by {plan['bound']}"),
            ("blocking", show_seconds(blocking)),
            ("saved", saving),
            ("runner-up", runner_up),
        ],
    )


PACKINGS = {
    "derived": "by a derived type",
    "copy": "by hand, all at once",
    "blocked": "by hand, message by message, while others travel",
}


def _workload_in_words(plan: dict[str, Any]) -> str:
    """The workload in words: `a stream`, `an alltoall of 64 ranks with each of 63 peers`."""
    name = plan["pattern"]
    if name == "stream":
        return "a stream"
    article = "an" if name == "alltoall" else "a"
    words = f"{'' if name == 'buckets' else article + ' '}{name} among {plan['ranks']} ranks"
    return words + (f", {plan['peers']} peers each," if name in ("multi", "halo") else "")


def sensitivity_table(sensitivity: dict[str, Any]) -> Group:
    """The table of a sensitivity document."""

    def error(estimate: dict[str, Any], what: str) -> str:
        share = estimate[what]
        return "none that was tried" if share is None else show_share(share)

    rows = []
    for name, words in (("over", "overestimate"), ("under", "underestimate")):
        estimate = sensitivity[name]
        rows += [
            (f"{words} that changes the plan", error(estimate, "changes")),
            (f"{words} that costs over 1 %", error(estimate, "costs")),
            (f"worst {words}", f"loses {show_share(estimate['worst'], 1)}"),
        ]
    return facts(
        "What depends on the computation being as long as it is said to be",
        [
            *rows,
            ("the other bound", f"loses {show_share(sensitivity['misdiagnosed'], 1)}"),
            ("best equal messages", f"are {show_share(sensitivity['model'], 1)} faster"),
        ],
    )

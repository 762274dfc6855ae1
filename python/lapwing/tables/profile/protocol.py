"""The protocol: the sizes at which the transport changes it, and its limits."""

from typing import Any

from rich.console import RenderableType

from ...units import show_seconds, show_size
from ..layout import facts


def protocol_facts(protocol: dict[str, Any]) -> list[RenderableType]:
    """The table of the section `protocol`."""
    switches = [
        f"above {show_size(size)} ({'+' if jump >= 0 else '-'}{show_seconds(abs(jump))})"
        for size, jump in zip(protocol["switches"], protocol["switch_costs"], strict=True)
    ]
    outstanding, depth = protocol["outstanding"], protocol["completion_depth"]
    return [
        facts(
            "Protocol",
            [
                ("changes", ", ".join(switches) or _none(protocol["switches_reason"])),
                (
                    "outstanding",
                    _none(protocol["outstanding_reason"])
                    if outstanding is None
                    else f"{show_size(outstanding)}, then bandwidth drops",
                ),
                (
                    "completion",
                    _none(protocol["completion_depth_reason"])
                    if depth is None
                    else f"{depth} messages, then it slows down",
                ),
                *_moves(protocol),
            ],
        )
    ]


def _moves(protocol: dict[str, Any]) -> list[tuple[str, str]]:
    """Which messages wait for their receive; earlier profiles do not say."""
    limits = [
        (name, _limit(protocol[field]))
        for name, field in (("moves early", "eager"), ("send ends early", "buffered"))
        if field in protocol
    ]
    if protocol.get("eager_overtakes"):
        limits.append(("order", "shorter overtake longer messages"))
    return limits


def _limit(limit: int | None) -> str:
    if limit is None:
        return "always"
    return f"up to {show_size(limit)}" if limit else "never"


def _none(reason: str) -> str:
    return f"none: {reason or 'no reason given'}"

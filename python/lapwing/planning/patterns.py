"""The patterns of workloads, with the usual direction and dependence of each."""

from typing import Literal, get_args

Pattern = Literal["stream", "multi", "congested", "alltoall", "collective", "halo", "buckets"]
Direction = Literal["fetch", "produce", "both"]
Dependence = Literal["tight", "loose"]

PATTERNS: tuple[Pattern, ...] = get_args(Pattern)
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)
DEPENDENCES: tuple[Dependence, ...] = get_args(Dependence)


def usual_direction(pattern: str) -> Direction:
    """The direction of a pattern unless another is given: whether it computes on what it receives
    ("fetch") or on what it sends ("produce")."""
    return "produce" if pattern in ("congested", "collective", "buckets") else "fetch"


def usual_dependence(pattern: str) -> Dependence:
    """The dependence of a pattern unless another is given: "tight", or "loose" for the interior of
    a halo, whose computation needs no message."""
    return "loose" if pattern == "halo" else "tight"

"""The patterns that are planned, and what each usually is."""

from typing import Literal, get_args

Pattern = Literal["stream", "multi", "congested", "alltoall", "collective", "halo", "buckets"]
Direction = Literal["fetch", "produce", "both"]
Dependence = Literal["tight", "loose"]

PATTERNS: tuple[Pattern, ...] = get_args(Pattern)
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)
DEPENDENCES: tuple[Dependence, ...] = get_args(Dependence)


def usual_direction(pattern: str) -> Direction:
    """Which side of a message the computation of a pattern is on where nobody says."""
    return "produce" if pattern in ("congested", "collective", "buckets") else "fetch"


def usual_dependence(pattern: str) -> Dependence:
    """What the computation of a pattern waits for where nobody says: the interior of a halo, for
    nothing."""
    return "loose" if pattern == "halo" else "tight"

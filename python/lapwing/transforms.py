"""Distributed Fourier transforms: which ways there are to run one, and which is fastest."""

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from . import Profile, _core
from .errors import LapwingError, did_you_mean
from .measure import Launch

# Each with the transports it can use, the usual one first.
SCHEDULES = {
    "exchange": ["collective", "two-sided", "rma"],
    "slabs": ["two-sided", "rma"],
    "pencils": ["two-sided", "rma"],
    "tiled": ["collective"],
    "strips": ["two-sided", "rma"],
}
TRANSPORTS = SCHEDULES["exchange"]
EFFORTS = ["estimate", "measure", "patient"]
AUTO = "auto"
STRIPS = _core.TRANSFORM_STRIPS

_ELEMENT = 16  # bytes

Size = tuple[int, int, int]


@dataclass(frozen=True)
class Way:
    """How to run a transform.

    schedule: when data is sent.  transport: how.  tile: planes in an all-to-all, for `tiled`.
    window: messages in flight, 0 for all; for `tiled` all-to-alls, 0 for 2.  strips: into which
    what one rank gets of a plane is cut, for `strips`.
    """

    schedule: str
    transport: str
    tile: int = 1
    window: int = 0
    strips: int = STRIPS

    def __str__(self) -> str:
        """As the native program reads it."""
        return f"{self.schedule}:{self.transport}:{self.tile}:{self.window}:{self.strips}"


def ways(
    schedule: str,
    transport: str | None = None,
    tiles: Sequence[int] = (),
    windows: Sequence[int] = (),
    strips: Sequence[int] = (),
) -> list[Way]:
    """The ways that a user asks for by a schedule and as much else as there is.

    schedule: a name, "slabs", or one with its transport, "slabs:rma".  transport: for schedules
    that can use it and name none.  tiles, windows, strips: one way for each, where there are such.
    """
    name, _, named = schedule.partition(":")
    if name not in SCHEDULES:
        known = [*SCHEDULES, AUTO]
        raise LapwingError(
            f'"{name}" is no schedule{did_you_mean(name, known)}: it is one of {", ".join(known)}'
        )
    if named:
        require_fit(name, named)
    elif transport in SCHEDULES[name]:
        named = transport or ""
    some_tiles = tiles if tiles and name == "tiled" else [1]
    some_windows = windows if windows and name != "exchange" else [0]
    some_strips = strips if strips and name == "strips" else [STRIPS]
    return [
        Way(name, named or SCHEDULES[name][0], tile, window, cut)
        for tile in some_tiles
        for window in some_windows
        for cut in some_strips
    ]


def require_fit(schedule: str, transport: str) -> None:
    """Refuse a way to send that there is not."""
    if transport not in SCHEDULES[schedule]:
        fitting = " or ".join(SCHEDULES[schedule])
        raise LapwingError(
            f"--transport {transport}: the schedule {schedule} has no use for it; take {fitting}"
        )


def require_memory(launch: Launch, what: str, size: Size, arrays: int) -> None:
    """Refuse what this machine cannot hold, before the kernel ends something to make room.

    what: the option that asks for it.  arrays: how many of `size` there are at a time.
    """
    if launch.elsewhere:
        return
    n0, n1, n2 = size
    needed = n0 * n1 * n2 * _ELEMENT * arrays
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if needed > 0.9 * memory:
        raise LapwingError(
            f"{what}: takes {needed / 1e9:.1f} GB of memory, and this machine has "
            f"{memory / 1e9:.1f} GB; take a smaller one, or a batch allocation"
        )


@dataclass(frozen=True)
class Chosen:
    """The way that the planner takes to be fastest.

    seconds, lines: what it will take, and what of it transforms lines.  runner_up, exchange: the
    next best and the blocking way, with their seconds; None where there is no other.
    """

    way: Way
    seconds: float
    lines: float
    runner_up: tuple[Way, float] | None
    exchange: float | None

    def document(self) -> dict[str, Any]:
        """As results have it."""
        made: dict[str, Any] = {
            **asdict(self.way),
            "predicted": {"seconds": self.seconds},
            "lines": {"seconds": self.lines},
        }
        if self.runner_up is not None:
            way, seconds = self.runner_up
            made["runner_up"] = {**asdict(way), "predicted": {"seconds": seconds}}
        if self.exchange is not None:
            made["exchange"] = {"seconds": self.exchange}
        return made


def choose(profile: Profile | None, size: Size, ranks: int, ppn: int = 1) -> Chosen:
    """The fastest way for an array of `size` on `ranks` ranks, `ppn` to a node."""
    if profile is None:
        raise LapwingError(
            "auto: it is chosen from the machine's profile; name one, from lapwing calibrate"
        )
    try:
        all_ways = _core.transform_forecasts(profile, size, ranks=ranks, ranks_per_node=ppn)
    except ValueError as error:
        raise LapwingError(f"auto: {error}") from None
    if not all_ways:
        raise LapwingError("auto: an array of this size is more messages than can be played")

    def way(made: _core.TransformForecast) -> Way:
        return Way(made.schedule, made.transport, made.tile, made.window, made.strips)

    best = all_ways[0]
    others = [made for made in all_ways if made.schedule != best.schedule]
    blocking = [made.seconds for made in all_ways if made.schedule == "exchange"]
    return Chosen(
        way(best),
        best.seconds,
        best.lines,
        (way(others[0]), others[0].seconds) if others else None,
        min(blocking, default=None),
    )


def forecast(profile: Profile, size: Size, ranks: int, way: Way, ppn: int = 1) -> float | None:
    """Seconds that a transform will take; None where the profile or the engine cannot say."""
    try:
        made = _core.transform_forecast(
            profile, size, ranks=ranks, ranks_per_node=ppn, **asdict(way)
        )
    except ValueError:
        return None
    return made.seconds

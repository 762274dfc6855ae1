"""Distributed Fourier transforms: which ways there are to run one, and which is fastest."""

import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from .. import _core
from .._core import Profile
from ..errors import LapwingError, did_you_mean
from ..launch import Launch

# Each with the transports it can use, the usual one first.
SCHEDULES = {
    "exchange": ["collective", "two-sided", "rma"],
    "slabs": ["two-sided", "rma"],
    "pencils": ["two-sided", "rma"],
    "tiled": ["collective"],
    "strips": ["two-sided", "rma"],
    "tails": ["two-sided", "rma"],
}
# Those that cut parts of planes into strips.
CUTTING = ["strips", "tails"]
TRANSPORTS = SCHEDULES["exchange"]
EFFORTS = ["estimate", "measure", "patient"]
AUTO = "auto"
STRIPS = _core.TRANSFORM_STRIPS
POLL_INTERVAL = _core.TRANSFORM_POLL_INTERVAL  # seconds
DECOMPOSITIONS = ["1d", "2d", "auto"]
ORDERS = ["transposed", "natural"]
# Those that exchange can use, and the transports over which it can.
PACKINGS = {"copy": TRANSPORTS, "derived": ["collective"], "blocked": TRANSPORTS}

_ELEMENT = 16  # bytes

Size = tuple[int, int, int]


@dataclass(frozen=True)
class Problem:
    """What is transformed, and how it lies.

    size: elements along each axis.  real: of real numbers, to half a spectrum.  batch: arrays in
    one transform.  decomposition: in planes ("1d") or to a grid of ranks ("2d").  order: of the
    spectrum, transposed or natural.
    """

    size: Size
    real: bool = False
    batch: int = 1
    decomposition: str = "1d"
    order: str = "transposed"


@dataclass(frozen=True)
class Way:
    """How to run a transform.

    schedule: when data is sent.  transport: how.  tile: planes in an all-to-all, for `tiled`.
    window: messages in flight, or all-to-alls, 0 for as many as `usual_window` says.  strips: into
    which what one rank gets of a plane is cut, for `strips` and `tails`.  packing: how
    what one rank gets is brought together, for `exchange`; block, padding: for `blocked`, planes at
    a time and elements between two of them.
    """

    schedule: str
    transport: str
    tile: int = 1
    window: int = 0
    strips: int = STRIPS
    packing: str = "copy"
    block: int = 1
    padding: int = 0

    def __str__(self) -> str:
        """As the native program reads it."""
        return ":".join(str(part) for part in asdict(self).values())


def usual_window(schedule: str, transport: str, ranks: int) -> int | None:
    """Messages in flight, or all-to-alls, where nobody says how many; None for all."""
    return _core.transform_window(schedule, transport, ranks)


def ways(
    schedule: str,
    transport: str | None = None,
    tiles: Sequence[int] = (),
    windows: Sequence[int] = (),
    strips: Sequence[int] = (),
    packings: Sequence[str] = (),
) -> list[Way]:
    """The ways that a user asks for by a schedule and as much else as there is.

    schedule: a name, "slabs", or one with its transport, "slabs:rma".  transport: for schedules
    that can use it and name none.  tiles, windows, strips, packings: one way for each, where there
    are such; a packing is a name, or blocked:4:8 with its block and padding.
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
    some_strips = strips if strips and name in CUTTING else [STRIPS]
    over = named or SCHEDULES[name][0]
    some_packings = [
        packing
        for packing in (read_packing(text) for text in packings)
        if name == "exchange" and over in PACKINGS[packing[0]]
    ]
    return [
        Way(name, over, tile, window, cut, *packing)
        for tile in some_tiles
        for window in some_windows
        for cut in some_strips
        for packing in some_packings or [("copy", 1, 0)]
    ]


def read_packing(text: str) -> tuple[str, int, int]:
    """What "blocked:4:8" says: a packing, its block and its padding."""
    name, *numbers = text.split(":")
    if name not in PACKINGS:
        raise LapwingError(
            f'"{name}" is no packing{did_you_mean(name, list(PACKINGS))}: it is one of '
            f"{', '.join(PACKINGS)}"
        )
    if numbers and (
        name != "blocked"
        or len(numbers) > 2
        or not all(map(_is_count, numbers))
        or int(numbers[0]) < 1
    ):
        raise LapwingError(
            f"{text}: only blocked has numbers, its planes at a time and the elements between two "
            "of them; write blocked:4 or blocked:4:8"
        )
    block, padding = [*map(int, numbers), *[1, 0][len(numbers) :]]
    return name, block, padding


def _is_count(text: str) -> bool:
    """Whether the library can count so far."""
    return text.isascii() and text.isdigit() and len(text) <= 10 and int(text) < 1 << 31


def require_fit(schedule: str, transport: str) -> None:
    """Refuse a way to send that there is not."""
    if transport not in SCHEDULES[schedule]:
        fitting = " or ".join(SCHEDULES[schedule])
        raise LapwingError(
            f"--transport {transport}: the schedule {schedule} has no use for it; take {fitting}"
        )


def require_memory(launch: Launch, what: str, size: Size, arrays: float) -> None:
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
    next best and the blocking way, with their seconds; None where there is no other.  packings: the
    blocking way over an all-to-all by each packing, with its seconds, log_3P's choice first; none
    where the profile has no log_3P tables.  by_loggp: the packing that LogGP chooses.
    """

    way: Way
    seconds: float
    lines: float
    runner_up: tuple[Way, float] | None
    exchange: float | None
    packings: list[tuple[Way, float]]
    by_loggp: str

    def document(self) -> dict[str, Any]:
        """As results have it."""
        made: dict[str, Any] = {
            **asdict(self.way),
            "predicted": {"seconds": self.seconds},
            "lines": {"seconds": self.lines},
        }
        if self.runner_up is not None:
            made["runner_up"] = _predicted(*self.runner_up)
        if self.exchange is not None:
            made["exchange"] = {"seconds": self.exchange}
        if self.packings:
            made["packings"] = [_predicted(*each) for each in self.packings]
            made["packing_by"] = {"log_3P": self.packings[0][0].packing, "LogGP": self.by_loggp}
        return made


def _predicted(way: Way, seconds: float) -> dict[str, Any]:
    return {**asdict(way), "predicted": {"seconds": seconds}}


def choose(profile: Profile | None, problem: Problem, ranks: int, ppn: int = 1) -> Chosen:
    """The fastest way on `ranks` ranks, `ppn` to a node."""
    if profile is None:
        raise LapwingError(
            "auto: it is chosen from the machine's profile; name one, from lapwing calibrate"
        )
    asked = {"ranks": ranks, "ranks_per_node": ppn, **asdict(problem)}
    try:
        all_ways = _core.transform_forecasts(profile, **asked)
        packings, by_loggp = _core.transform_packings(profile, **asked)
    except ValueError as error:
        raise LapwingError(f"auto: {error}") from None
    if not all_ways:
        raise LapwingError("auto: an array of this size is more messages than can be played")

    best = all_ways[0]
    others = [made for made in all_ways if made.schedule != best.schedule]
    blocking = [made.seconds for made in all_ways if made.schedule == "exchange"]
    return Chosen(
        _way(best),
        best.seconds,
        best.lines,
        (_way(others[0]), others[0].seconds) if others else None,
        min(blocking, default=None),
        [(_way(made), made.seconds) for made in packings] if len(packings) > 1 else [],
        by_loggp,
    )


def _way(made: _core.TransformForecast) -> Way:
    return Way(**{field.name: getattr(made, field.name) for field in fields(Way)})


def forecast(
    profile: Profile, problem: Problem, ranks: int, way: Way, ppn: int = 1
) -> float | None:
    """Seconds that a transform will take; None where the profile or the engine cannot say."""
    try:
        made = _core.transform_forecast(
            profile, ranks=ranks, ranks_per_node=ppn, **asdict(problem), **asdict(way)
        )
    except ValueError:
        return None
    return made.seconds

"""Distributed Fourier transforms: what is transformed, and the ways to run it."""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass

from .. import _core
from ..errors import LapwingError, did_you_mean
from ..launch import Launch
from ..launch.launch import require_room
from ..launch.native import SHMEM
from ..measure.shmem import with_heap
from ..measure.sweep import require_transport

_UCX, _SHMEM = "ucx", "shmem"
_MESSAGES = ["two-sided", "rma", _UCX, _SHMEM]
# Schedules with the transports that each can use, the usual one first.
SCHEDULES = {
    "exchange": ["collective", *_MESSAGES],
    "slabs": _MESSAGES,
    "pencils": _MESSAGES,
    "tiled": ["collective"],
    "strips": _MESSAGES,
    "tails": _MESSAGES,
}
# Schedules that cut parts of planes into strips.
CUTTING = ["strips", "tails"]
TRANSPORTS = SCHEDULES["exchange"]
EFFORTS = ["estimate", "measure", "patient"]
AUTO = "auto"
STRIPS = _core.TRANSFORM_STRIPS
POLL_INTERVAL = _core.TRANSFORM_POLL_INTERVAL  # seconds
DECOMPOSITIONS = ["1d", "2d", "auto"]
ORDERS = ["transposed", "natural"]
# Packings of the schedule "exchange", with the transports that each can be used over.
PACKINGS = {"copy": TRANSPORTS, "derived": ["collective"], "blocked": TRANSPORTS}

_ELEMENT = 16  # bytes
_SPARE_HEAP = 64 << 20  # bytes of OpenSHMEM's symmetric heap besides the arrays

Size = tuple[int, int, int]


@dataclass(frozen=True)
class Problem:
    """The arrays of a transform, and their distribution.

    size: elements along each axis.  real: real numbers, with half a spectrum.  batch: arrays in one
    transform.  decomposition: into planes ("1d"), or over a grid of ranks ("2d").  order: of the
    spectrum's axes, transposed or natural.
    """

    size: Size
    real: bool = False
    batch: int = 1
    decomposition: str = "1d"
    order: str = "transposed"


@dataclass(frozen=True)
class Way:
    """How to run a transform.

    schedule: when data is sent.  transport: how it is sent.  tile: planes in an all-to-all, for
    `tiled`.  window: messages or all-to-alls in flight, 0 for `usual_window`.  strips: pieces of
    the part of a plane that one rank gets, for `strips` and `tails`.  packing: how the part that
    one rank gets is made contiguous, for `exchange`; block, padding: for `blocked`, planes at a
    time, and elements between two planes.
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
        """The way in the native program's notation."""
        return ":".join(str(part) for part in asdict(self).values())


def usual_window(schedule: str, transport: str, ranks: int) -> int | None:
    """Messages or all-to-alls in flight unless a window is given; None, all of them."""
    return _core.transform_window(schedule, transport, ranks)


@dataclass(frozen=True)
class Asked:
    """The ways that a user asks for: every schedule with every value given for it.

    schedules: names, "slabs", or names with their transport, "slabs:rma".  transport: for schedules
    that can use it and name none.  tiles, windows, strips, packings: values for the schedules that
    have such a thing; empty, the usual value. A packing is a name, or blocked:4:8 with its block
    and padding.
    """

    schedules: Sequence[str]
    transport: str | None = None
    tiles: Sequence[int] = ()
    windows: Sequence[int] = ()
    strips: Sequence[int] = ()
    packings: Sequence[str] = ()

    def ways(self) -> list[Way]:
        """All these ways but "auto". Raises LapwingError if one does not exist."""
        return [way for name in self.schedules if name != AUTO for way in self.ways_of(name)]

    def ways_of(self, schedule: str) -> list[Way]:
        """The ways of one schedule."""
        name, over = self._transport_of(schedule)
        packings = [
            packing
            for packing in (read_packing(text) for text in self.packings)
            if name == "exchange" and over in PACKINGS[packing[0]]
        ]
        return [
            Way(name, over, tile, window, strips, *packing)
            for tile in (name == "tiled" and self.tiles) or [1]
            for window in (name != "exchange" and self.windows) or [0]
            for strips in (name in CUTTING and self.strips) or [STRIPS]
            for packing in packings or [("copy", 1, 0)]
        ]

    def _transport_of(self, schedule: str) -> tuple[str, str]:
        """The name of a schedule, and the transport that it uses."""
        name, _, named = schedule.partition(":")
        if name not in SCHEDULES:
            known = [*SCHEDULES, AUTO]
            raise LapwingError(
                f'"{name}" is no schedule{did_you_mean(name, known)}: it is one of '
                f"{', '.join(known)}"
            )
        if named:
            require_fit(name, named)
            return name, named
        if self.transport in SCHEDULES[name]:
            return name, self.transport or ""
        return name, SCHEDULES[name][0]


def read_packing(text: str) -> tuple[str, int, int]:
    """The packing, the block and the padding that a text such as "blocked:4:8" names."""
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
    """Whether a number fits the library's integers: from 0 to 2^31 - 1."""
    return text.isascii() and text.isdigit() and len(text) <= 10 and int(text) < 1 << 31


def require_fit(schedule: str, transport: str) -> None:
    """Refuse a transport that a schedule cannot use."""
    if transport not in SCHEDULES[schedule]:
        fitting = " or ".join(SCHEDULES[schedule])
        raise LapwingError(
            f"--transport {transport}: the schedule {schedule} has no use for it; take {fitting}"
        )


def require_memory(launch: Launch, what: str, size: Size, arrays: float) -> None:
    """Refuse arrays that this machine cannot hold.

    what: the option that asks for it.  arrays: number of arrays of `size` in memory at a time.
    """
    n0, n1, n2 = size
    require_room(launch, what, n0 * n1 * n2 * _ELEMENT * arrays)


def program_of(
    launch: Launch, transports: Collection[str], size: Size, batch: int = 1
) -> tuple[Launch, str]:
    """The native program that transforms over all of these transports, and how to launch it.

    size, batch: of the arrays, for which OpenSHMEM's symmetric heap needs room.
    """
    for transport in transports:
        require_transport(launch, transport)
    if _SHMEM not in transports:
        return launch, "lapwing-mpi"
    if _UCX in transports:
        raise LapwingError("OpenSHMEM and UCX are not in one program: run them one after the other")
    ranks = launch.target.ranks
    n0, n1, n2 = size
    largest = max(-(-n0 // ranks) * n1, -(-n1 // ranks) * n0) * n2 * _ELEMENT
    heap = _SPARE_HEAP + 2 * largest * min(batch, 2)
    return with_heap(launch, heap), SHMEM

"""Message schedules: reading and generating them, and running them on a simulated machine."""

import operator
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import _core
from .._core import Profile, Schedule
from ..errors import LapwingError
from ..results.labelled import Document, Fields
from ..units.arguments import Size, in_bytes
from .interval import time_with_interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_RANKS = 1 << 26
MOST_BYTES = 1 << 40


class Deadlock(LapwingError):
    """A schedule cannot end. The error message names ranks and messages."""

    exit_status = 1


def read(path: str | os.PathLike[str]) -> Schedule:
    """The schedule in a GOAL file, text or binary. Raises LapwingError with the file and the place:
    line and column, or rank and operation.
    """
    try:
        return Schedule.read(os.fspath(path))
    except ValueError as error:
        raise LapwingError(str(error)) from None
    except MemoryError:
        raise _too_large() from None


def generate(
    operation: str,
    *,
    algorithm: str | None = None,
    ranks: int,
    size: int = 1,
    segment: int = 8192,
    window: int = 32,
    group: int = 8,
    radix: int = 4,
    sizes: Sequence[int] = (),
) -> Schedule:
    """The schedule of a collective; the parameters are those of `simulate`."""
    try:
        return Schedule.generate(
            operation=operation,
            algorithm=algorithm or _core.collective_algorithms(operation)[0],
            ranks=whole("ranks", ranks, 1, MOST_RANKS),
            size=whole("size", size, 0, MOST_BYTES),
            segment=whole("segment", segment, 1, MOST_BYTES),
            window=whole("window", window, 1, MOST_RANKS),
            group=whole("group", group, 1, MOST_RANKS),
            radix=whole("radix", radix, 2, MOST_RANKS),
            sizes=[whole("sizes", each, 0, MOST_BYTES) for each in sizes],
        )
    except ValueError as error:
        raise LapwingError(str(error)) from None
    except MemoryError:
        raise _too_large() from None


def goal_of(schedule: Schedule) -> str:
    """A schedule in the GOAL text format. Raises LapwingError if memory does not hold it."""
    try:
        return schedule.to_goal()
    except ValueError as error:
        raise LapwingError(str(error)) from None
    except MemoryError:
        raise _too_large() from None


def run_schedule(
    schedule: Schedule,
    *,
    parameters: Mapping[str, int] | str | None = None,
    profile: Profile | None = None,
    ppn: int = 1,
    topology: str | None = None,
    placement: str | None = None,
    stride: int | None = None,
    trace: bool = False,
) -> _core.Simulation:
    """Run a schedule on a simulated machine; the parameters are those of `simulate`.

    trace: keep the time line as well. Raises LapwingError if it has over a million intervals.
    """
    if profile is not None and parameters is not None:
        raise LapwingError("a machine is either a profile or parameters")
    if profile is None and (ppn != 1 or (topology, placement, stride) != (None, None, None)):
        raise LapwingError("ppn, topology, placement and stride belong to a profile")
    try:
        if profile is not None:
            nodes = whole("ppn", ppn, 1, MOST_RANKS)
            apart = None if stride is None else whole("stride", stride, 1, MOST_BYTES)
            return _core.simulate(
                schedule,
                profile=profile,
                ppn=nodes,
                topology=topology,
                placement=placement,
                stride=apart,
                trace=trace,
            )
        if not isinstance(parameters, str):
            words = (f"{name}={value}" for name, value in (parameters or {}).items())
            parameters = ",".join(words)
        return _core.simulate(schedule, parameters=parameters, trace=trace)
    except _core.Deadlock as error:
        raise Deadlock(f"{schedule.path}: {error}" if schedule.path else str(error)) from None
    except ValueError as error:
        raise LapwingError(str(error)) from None
    except MemoryError:
        raise _too_large() from None


class Simulation(Document):
    """The result of `simulate`."""

    @property
    def rank_finish_ns(self) -> "NDArray[Any]":
        """Time at which each rank ends, nanoseconds, as an array. Each access makes it anew."""
        import numpy

        return numpy.array(self["rank_finish_ns"])

    @property
    def predicted(self) -> Fields | None:
        """What a collective takes with its local work; None of a schedule that was read and on a
        LogGOPS machine."""
        return Fields(self["predicted"]) if "predicted" in self else None


def result_of(played: _core.Simulation) -> Simulation:
    """The result of a simulation."""
    found = Simulation(
        lapwing="simulate",
        finish_ns=played.finish_ns,
        events=played.events,
        messages=played.messages,
    )
    if played.predicted is not None:
        found["predicted"] = time_with_interval(played.predicted)
    found["rank_finish_ns"] = played.finish_list_ns()
    return found


def simulate(
    schedule: str | os.PathLike[str] | None = None,
    *,
    collective: str | None = None,
    algorithm: str | None = None,
    ranks: int | None = None,
    size: Size = 1,
    segment: Size = 8192,
    window: int = 32,
    group: int = 8,
    radix: int = 4,
    sizes: Sequence[Size] = (),
    parameters: Mapping[str, int] | str | None = None,
    profile: Profile | None = None,
    ppn: int = 1,
    topology: str | None = None,
    placement: str | None = None,
    stride: Size | None = None,
) -> Simulation:
    """Run a message schedule on a simulated machine, message by message.

    Sizes are whole numbers of bytes or text such as "64KB".

    schedule: the path of a GOAL file, text or LogGOPSim's binary format; or else
    collective: the collective to generate, such as "alltoall", with
    algorithm: its algorithm; None, the plainest.
    ranks: number of ranks.
    size: bytes; the whole message of a bcast, reduce or allreduce. Of an alltoall, from each rank
        to each; of a barrier, one message; of others, the block of a rank.
    segment: bytes of a segment, for algorithms that send in segments.
    window: messages in flight each way, for the staggered alltoall.
    group: ranks of a group, for the grouped bcast.
    radix: k of k-nomial trees and of Bruck's algorithm with several ports (k-bruck), at least 2;
        for chains, how many there are.
    sizes: bytes of each rank, for gatherv and scatterv.

    parameters: a LogGOPS machine, in nanoseconds, and bytes for S: {"L": 2500, "o": 1500, ...} or
        "L=2500,o=1500". Defaults are L=2500, o=1500, g=1000, G=6, O=0, S=65535. Or else
    profile: a measured machine, with
    ppn: ranks on each node, which share the node's interfaces.
    topology: how nodes are connected, instead of the profile's topology: "flat", "torus:4x4x4",
        "mesh:8x8", "fat-tree:16,8", "dragonfly:9x4x2" or "dragonfly+:9x4x4x2". The fat tree has 16
        nodes under each leaf switch, and 8 links up from it. The dragonfly has 9 groups of 4
        switches with 2 nodes each; in dragonfly+ each group has 4 spines besides. Options follow,
        as in "torus:4x4x4,interfaces=6,rate=0.5,hop=100ns".
    placement: the nodes of the topology that ranks are on: "consecutive", "spread",
        "round-robin", "random:SEED", or a list such as "0,7,16-31".
    stride: bytes from one element of a message to the next.

    Returns the result of `lapwing simulate`: `finish_ns`, `rank_finish_ns` (an array of numpy),
    `events` and `messages`. Of a collective with a profile it has `predicted`: the `seconds` with
    local work, as `predict` says by the engine. Where the profile tells, nine of ten measured times
    lie between its `low` and `high`.
    Raises Deadlock if the schedule cannot end, and LapwingError if something is malformed, unknown
    or out of range.
    """
    if (schedule is None) == (collective is None):
        raise LapwingError("give a schedule or a collective, one of the two")
    if collective is None:
        assert schedule is not None
        made = read(schedule)
    elif ranks is None:
        raise LapwingError("a collective needs ranks")
    else:
        made = generate(
            collective,
            algorithm=algorithm,
            ranks=ranks,
            size=_bytes("size", size),
            segment=_bytes("segment", segment),
            window=window,
            group=group,
            radix=radix,
            sizes=[_bytes("sizes", each) for each in sizes],
        )
    played = run_schedule(
        made,
        parameters=parameters,
        profile=profile,
        ppn=ppn,
        topology=topology,
        placement=placement,
        stride=None if stride is None else _bytes("stride", stride),
    )
    return result_of(played)


def whole(name: str, value: int, least: int, most: int) -> int:
    """`value`, a whole number from `least` to `most`. Raises LapwingError for another one."""
    number = operator.index(value)
    if not least <= number <= most:
        raise LapwingError(f"{name}: {number} is not from {least} to {most}")
    return number


def _bytes(name: str, value: Size) -> int:
    try:
        return in_bytes(value)
    except ValueError as error:
        raise LapwingError(f"{name}: {error}") from None


def _too_large() -> LapwingError:
    return LapwingError("there is not enough memory for this schedule")

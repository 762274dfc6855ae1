"""Sweeps: a workload run blocking, in every way with equal messages, and as planned."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, SupportsIndex

from .._core import Plan, Profile
from ..errors import LapwingError
from ..launch import Launch
from ..launch.launch import physical_memory
from ..launch.native import SHMEM
from ..planning.patterns import (
    Dependence,
    Direction,
    Pattern,
    usual_dependence,
    usual_direction,
)
from ..planning.transports import Transport
from ..results.labelled import Document
from ..units.arguments import Size, Time, in_bytes, in_seconds
from .shmem import with_heap

# Buffers of the volume's size on each rank that holds data, or on the two ranks of a stream: data,
# result, and the result that is expected.
_COPIES = 5


@dataclass(frozen=True)
class Workload:
    """What is run: parameters of `sweep`, in bytes and seconds."""

    volume: int
    pattern: Pattern = "stream"
    direction: Direction | None = None
    dependence: Dependence | None = None
    peers: int | None = None
    balanced: bool = True
    block: int = 0
    stride: int = 0
    sizes_known: bool = True
    transport: Transport | None = None
    ratio: float | None = None
    compute: float | None = None
    grain: int | None = None

    @property
    def spread(self) -> int:
        """Bytes from the first to the last of the data on one rank."""
        return self.volume * self.stride // self.block if self.block else self.volume

    def options(self) -> dict[str, object]:
        """The workload as options of the native program."""
        return {
            "--pattern": self.pattern,
            "--direction": self.direction or usual_direction(self.pattern),
            "--dependence": self.dependence or usual_dependence(self.pattern),
            "--peers": self.peers,
            "--unbalanced": not self.balanced,
            "--block": self.block or None,
            "--stride": self.stride or None,
            "--unknown-sizes": not self.sizes_known,
            "--transport": self.transport,
            "--volume": self.volume,
            "--ratio": self.ratio,
            "--compute": self.compute,
            "--grain": self.grain,
        }


def sweep(
    profile: Profile,
    *,
    on: str | Launch,
    volume: Size | Sequence[Size],
    ratio: float | None = None,
    compute: Time | None = None,
    pattern: Pattern = "stream",
    direction: Direction | None = None,
    dependence: Dependence | None = None,
    peers: int | None = None,
    balanced: bool = True,
    grain: Size | None = None,
    block: Size = 0,
    stride: Size = 0,
    sizes_known: bool = True,
    transport: Transport = "any",
    smallest: Size | None = None,
    schedules: str | None = None,
    repeat: int | None = None,
    given: Plan | str | None = None,
    plan_only: bool = False,
) -> Document:
    """Run a workload on all ranks blocking, cut into equal messages in every way, and as planned.

    Sizes are bytes or text such as "8MB", times are seconds or text such as "12ms".

    on: where, such as "mpi:4" or "sim:ib4x"; or a `Launch`.
    volume: as for `lapwing.plan`; or several, which are run one after another.
    ratio: computation over the communication of the blocking run; or else
    compute: time of computation.
    pattern, direction, dependence, peers, balanced, grain, block, stride, sizes_known: as for
        `lapwing.plan`.
    transport: "any", the plan runs as it says and all else two-sided; another, all runs use it.
    smallest: the smallest of equal messages.
    schedules: those of equal messages, letters of figure 6 of Iancu and Strohmaier (2007), such
        as "C,D,E"; None: E.
    repeat: runs of each way.
    given: a plan, or the text of its document, to run instead of a new one.
    plan_only: only the blocking run and the plans.

    Returns the result of `lapwing sweep`. Raises LapwingError if it cannot be run.
    """
    if (ratio is None) == (compute is None):
        raise LapwingError("give ratio or compute, one of the two")
    one = isinstance(volume, str | SupportsIndex)
    volumes = [volume] if isinstance(volume, str | SupportsIndex) else volume
    launch = Launch.on(on)
    results = []
    for number, each in enumerate(volumes):
        workload = Workload(
            in_bytes(each),
            pattern=pattern,
            direction=direction,
            dependence=dependence,
            peers=peers,
            balanced=balanced,
            block=in_bytes(block),
            stride=in_bytes(stride),
            sizes_known=sizes_known,
            transport=transport,
            ratio=ratio,
            compute=None if compute is None else in_seconds(compute),
            grain=None if grain is None else in_bytes(grain),
        )
        options = {
            "--smallest": None if smallest is None else in_bytes(smallest),
            "--schedules": schedules,
            "--repetitions": repeat,
            "--plan-only": plan_only,
        }
        part = launch.part(number / len(volumes), (number + 1) / len(volumes))
        results.append(_run(part, profile, workload, options, given))
    return Document(results[0]) if one else Document(lapwing="sweeps", sweeps=results)


def _run(
    launch: Launch,
    profile: Profile,
    workload: Workload,
    options: Mapping[str, object],
    given: Plan | str | None,
) -> dict[str, Any]:
    """The document of one workload. options: of the native program, besides the workload's."""
    require_transport(launch, workload.transport)
    program = "lapwing-mpi"
    if workload.transport == "shmem":
        program = SHMEM
        launch = with_heap(launch, _heap_bytes(launch, workload))
    ranks = 1 if workload.pattern == "stream" else launch.target.ranks
    _require_memory(launch, workload.spread, ranks)
    files = {
        "--profile": profile.to_json(),
        "--plan": given.to_json() if isinstance(given, Plan) else given,
    }
    return launch.document(
        ["sweep"], {**workload.options(), **options}, files=files, program=program
    )


def require_transport(launch: Launch, transport: str | None) -> None:
    """Refuse a transport that there cannot be on the target."""
    if transport in ("ucx", "ucx-put", "ucx-get") and launch.target.kind == "sim":
        raise LapwingError(
            f"{launch.target.text}: simulated clusters have no UCX; take MPI's messages or puts"
        )
    if transport == "partitioned" and launch.target.kind == "sim":
        raise LapwingError(
            f"{launch.target.text}: simulated clusters have no partitioned messages; take "
            "two-sided ones or puts"
        )
    if transport == "shmem" and launch.mpi not in (None, "openmpi"):
        raise LapwingError(
            f"transport shmem: OpenSHMEM is Open MPI's; leave out --mpi {launch.mpi}"
        )


def _heap_bytes(launch: Launch, workload: Workload) -> int:
    """Of a symmetric heap with room for a workload: what a rank sends and receives, and slots for
    the messages."""
    ranks = 2 if workload.pattern == "stream" else launch.target.ranks
    return (64 << 20) + 2 * workload.volume * ranks + ranks * (8 << 20)


def _require_memory(launch: Launch, volume: int, ranks: int) -> None:
    """Refuse what this machine cannot hold, before the kernel kills a process for its memory.

    ranks: number of ranks, or of pairs of ranks, that hold `volume` bytes.
    """
    if launch.elsewhere:
        return
    memory = physical_memory()
    copies = _COPIES * ranks
    if volume * copies > 0.9 * memory:
        raise LapwingError(
            f"a volume of {volume} bytes is too much to run here: it takes {copies} times as much "
            f"memory, and this machine has {memory} bytes; at most {int(0.9 * memory / copies)}"
        )

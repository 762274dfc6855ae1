"""Sweeps: a workload run blocking, in every uniform way, and as planned."""

from dataclasses import dataclass
from typing import Any

from .._core import Profile
from ..errors import LapwingError
from ..launch import Launch
from ..launch.launch import physical_memory
from ..launch.native import SHMEM
from ..planning.patterns import usual_dependence, usual_direction
from .shmem import with_heap

# Buffers of the volume's size on each rank that holds data, or on the two ranks of a stream: data,
# result, and the result that is expected.
_COPIES = 5


@dataclass(frozen=True)
class Workload:
    """What is run; the fields are those of `lapwing.plan` unless another meaning is given here.

    volume: bytes that each computing rank receives (sends, with direction "produce").
    transport: one of `planning.transports`; "any" runs the plan as it says, all else two-sided.
    ratio: computation over the communication of the blocking run; or else
    compute: seconds of computation.
    grain: bytes; messages are cut at its multiples.
    """

    volume: int
    pattern: str = "stream"
    direction: str | None = None
    dependence: str | None = None
    peers: int | None = None
    balanced: bool = True
    block: int = 0
    stride: int = 0
    sizes_known: bool = True
    transport: str | None = None
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
    launch: Launch,
    profile: Profile,
    workload: Workload,
    *,
    smallest: int | None = None,
    schedules: str | None = None,
    repetitions: int | None = None,
    given: str | None = None,
    plan_only: bool = False,
) -> dict[str, Any]:
    """Run a workload on all ranks blocking, cut in every uniform way, and as planned.

    smallest: bytes of the smallest uniform message.
    schedules: those of the uniform ways, letters of figure 6 of Iancu and Strohmaier (2007), such
        as "C,D,E"; None: E.
    repetitions: runs of each way.
    given: a plan document to run instead of our plan.
    plan_only: only the blocking run and the plans.

    Returns the result document.
    """
    require_transport(launch, workload.transport)
    program = "lapwing-mpi"
    if workload.transport == "shmem":
        program = SHMEM
        launch = with_heap(launch, _heap_bytes(launch, workload))
    ranks = 1 if workload.pattern == "stream" else launch.target.ranks
    _require_memory(launch, workload.spread, ranks)
    options = {
        **workload.options(),
        "--smallest": smallest,
        "--schedules": schedules,
        "--repetitions": repetitions,
        "--plan-only": plan_only,
    }
    files = {"--profile": profile.to_json(), "--plan": given}
    return launch.document(["sweep"], options, files=files, program=program)


def require_transport(launch: Launch, transport: str | None) -> None:
    """Refuse a transport that there cannot be on the target."""
    if transport in ("ucx", "ucx-put", "ucx-get") and launch.target.kind == "sim":
        raise LapwingError(
            f"{launch.target.text}: simulated clusters have no UCX; take MPI's messages or puts"
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

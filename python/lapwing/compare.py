"""Timing operations with their algorithms forced, beside what is predicted of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from .algorithms import Forced, force, options
from .launch import resized
from .launch.native import find_native
from .measure import Launch, operations

# All ranks' buffers one way, bytes: more would not fit where all ranks are on one machine.
MOST_MEMORY = 2 << 30


@dataclass(frozen=True)
class Case:
    """One operation with one algorithm ("mpi": what the MPI chooses) on a number of ranks."""

    operation: str
    algorithm: str
    ranks: int


@dataclass(frozen=True)
class Timed:
    """What one size of a case took.

    size: bytes.  seconds: from the common start until the last rank was done.  error: relative, of
    the median.
    """

    case: Case
    size: int
    seconds: float
    error: float


@dataclass(frozen=True)
class LeftOut:
    """A size of a case that was not run, and why; size None: all of them."""

    case: Case
    size: int | None
    reason: str


def memory(operation: str, ranks: int, size: int) -> int:
    """Bytes that the larger of all ranks' send and receive buffers take together."""
    if operation == "barrier":
        return 0
    if operation in ("alltoall", "allgather", "reduce_scatter"):
        return ranks * ranks * size
    return ranks * size


def mpi_of(launch: Launch) -> str:
    """Which MPI runs on the target: "simgrid", "openmpi", "mpich" or "any"."""
    return "simgrid" if launch.target.kind == "sim" else find_native(launch.mpi).mpi


def run(
    launch: Launch,
    cases: Sequence[Case],
    sizes: Sequence[int],
    *,
    stride: int | None = None,
    packed: bool = False,
    seconds: float | None = None,
    on_done: Callable[[int, int], None] | None = None,
) -> Iterator[Timed | LeftOut]:
    """Time every size of all `cases`, each number of ranks in launches of its own.

    stride, packed, seconds: as `measure.operations`.  on_done: called with the number of launches
    done, and of all.
    """
    mpi = mpi_of(launch)
    waves = list(_waves(mpi, cases))
    for number, wave in enumerate(waves):
        if on_done:
            on_done(number, len(waves))
        forced = [force(mpi, c.operation, c.algorithm, c.ranks) for c in wave]
        yield from _launch(launch, mpi, wave, forced, sizes, stride, packed, seconds)


def _waves(mpi: str, cases: Sequence[Case]) -> Iterator[list[Case]]:
    """Cases that can be launched together: other operations, and settings that do not meet."""
    waves: list[tuple[list[Case], dict[str, str]]] = []
    for case in cases:
        forced = force(mpi, case.operation, case.algorithm, case.ranks)
        settings = dict(forced.settings) if forced else {}
        for wave, told in waves:
            if _together(case, settings, wave, told):
                wave.append(case)
                told.update(settings)
                break
        else:
            waves.append(([case], settings))
    for wave, _ in waves:
        yield wave


def _together(
    case: Case, settings: Mapping[str, str], wave: Sequence[Case], told: Mapping[str, str]
) -> bool:
    return (
        wave[0].ranks == case.ranks
        and all(other.operation != case.operation for other in wave)
        # What is told of one operation is nothing to another that is left to choose.
        and bool(settings) == bool(told)
        and not set(settings) & set(told)
    )


def _launch(
    launch: Launch,
    mpi: str,
    wave: Sequence[Case],
    forced: Sequence[Forced | None],
    sizes: Sequence[int],
    stride: int | None,
    packed: bool,
    seconds: float | None,
) -> Iterator[Timed | LeftOut]:
    told: dict[str, str] = {}
    runs: dict[str, tuple[Case, list[int]]] = {}
    for case, how in zip(wave, forced, strict=True):
        if how is None:
            yield LeftOut(case, None, f"{mpi} cannot be made to take it")
            continue
        fit = []
        for size in sizes if case.operation != "barrier" else [0]:
            reason = how.differs(case.ranks, size)
            if memory(case.operation, case.ranks, size) * max(1, (stride or 8) // 8) > MOST_MEMORY:
                reason = "more than 2 GB of messages"
            if reason:
                yield LeftOut(case, size, reason)
            else:
                fit.append(size)
        if fit:
            told.update(how.settings)
            runs[case.operation] = (case, fit)
    if not runs:
        return
    extra, environment = options(mpi, told)
    ready = replace(
        launch,
        target=resized(launch.target, wave[0].ranks),
        options=[*extra, *launch.options],
        settings={**(launch.settings or {}), **environment},
        on_progress=None,
    )
    asked = {name: fit for name, (_, fit) in runs.items()}
    found = operations(ready, asked, stride=stride, packed=packed, seconds=seconds)
    for entry in found["measurements"]:
        case, _ = runs[entry["operation"]]
        yield Timed(case, entry["size"], entry["seconds"], entry["error"])

"""Timing cases on a target, in as few launches as their settings allow."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..launch import Launch, resized
from ..launch.algorithms import options
from ..launch.launch import physical_memory
from ..measure.operations import time_operations
from ..units import show_size
from .cases import MOST_MEMORY, Case, forced, memory


@dataclass(frozen=True)
class Conditions:
    """What is timed of each case, and when it counts.

    sizes: bytes.  stride: bytes from one double to the next; strided data is sent both as a derived
    type and packed by hand, in one launch, for a launch is fast or slow as a whole.
    wanted: the environment that two ranks should be in.  wait: seconds that each launch may wait
    for it; None, 0.
    """

    sizes: Sequence[int]
    stride: int | None = None
    wanted: Mapping[str, Mapping[str, float]] | None = None
    wait: float | None = None


@dataclass(frozen=True)
class Timed:
    """What one size of a case took.

    size: bytes.  seconds: from the common start until the last rank was done.  error: relative, of
    the median.  packed: whether strided data was packed by hand rather than described to MPI by a
    type; None where data is contiguous.  same_environment: whether the ranks were then in the
    wanted environment; None where nobody looked.
    """

    case: Case
    size: int
    seconds: float
    error: float
    packed: bool | None = None
    same_environment: bool | None = None


@dataclass(frozen=True)
class LeftOut:
    """A size of a case, bytes, that was not run, and why."""

    case: Case
    size: int
    reason: str


def time_cases(
    launch: Launch,
    cases: Sequence[Case],
    conditions: Conditions,
    warnings: list[str] | None = None,
) -> Iterator[Timed | LeftOut]:
    """Time every size of all `cases`, each number of ranks in launches of its own.

    warnings: gets the warnings of all launches.
    """
    waves = list(_waves(launch.family, cases))
    for number, wave in enumerate(waves):
        part = launch.part(number / len(waves), (number + 1) / len(waves))
        yield from _time_wave(part, wave, conditions, [] if warnings is None else warnings)


def _waves(mpi: str, cases: Sequence[Case]) -> Iterator[list[Case]]:
    """Cases in groups that one launch can time: different operations, compatible settings."""
    waves: list[tuple[list[Case], dict[str, str]]] = []
    for case in cases:
        settings = forced(mpi, case).settings
        for wave, told in waves:
            if _compatible(case, settings, wave, told):
                wave.append(case)
                told.update(settings)
                break
        else:
            waves.append(([case], dict(settings)))
    for wave, _ in waves:
        yield wave


def _compatible(
    case: Case, settings: Mapping[str, str], wave: Sequence[Case], told: Mapping[str, str]
) -> bool:
    return (
        wave[0].ranks == case.ranks
        and all(other.operation != case.operation for other in wave)
        # A setting for one operation may change what the MPI chooses for another.
        and bool(settings) == bool(told)
        and all(told.get(name, value) == value for name, value in settings.items())
    )


def _time_wave(
    launch: Launch, wave: Sequence[Case], conditions: Conditions, warnings: list[str]
) -> Iterator[Timed | LeftOut]:
    """Time the cases of one launch, and say which of their sizes are left out."""
    asked: dict[str, list[int]] = {}
    told: dict[str, str] = {}
    for case in wave:
        for size in conditions.sizes if case.operation != "barrier" else [0]:
            if reason := _left_out(launch, case, size, conditions.stride):
                yield LeftOut(case, size, reason)
            else:
                asked.setdefault(case.operation, []).append(size)
                told.update(forced(launch.family, case).settings)
    if not asked:
        return
    extra, environment = options(launch.family, told)
    ready = replace(
        launch,
        target=resized(launch.target, wave[0].ranks),
        options=[*extra, *launch.options],
        settings={**(launch.settings or {}), **environment},
    )
    found = time_operations(
        ready,
        asked,
        stride=conditions.stride,
        wanted=conditions.wanted,
        wait=conditions.wait,
    )
    warnings += found["warnings"]
    cases = {case.operation: case for case in wave}
    for entry in found["measurements"]:
        yield _timed(cases[entry["operation"]], entry)


def _left_out(launch: Launch, case: Case, size: int, stride: int | None) -> str:
    """Why a size is not run; empty where it is."""
    most = _memory_for_messages(launch)
    spread = 1 if stride is None else max(1, stride // 8)  # times the data's own size
    if memory(case.operation, case.ranks, size) * spread > most:
        return f"more than {show_size(most)} of messages"
    if stride is not None and size % 8 != 0:
        return "not whole doubles of 8 bytes"
    return forced(launch.family, case).differs(case.ranks, size)


def _memory_for_messages(launch: Launch) -> int:
    """Bytes that all ranks' send buffers may have; receive buffers and MPI's own come on top."""
    return MOST_MEMORY if launch.elsewhere else min(MOST_MEMORY, physical_memory() // 4)


def _timed(case: Case, entry: Mapping[str, Any]) -> Timed:
    return Timed(
        case,
        entry["size"],
        entry["seconds"],
        entry["error"],
        entry.get("packed"),
        entry.get("same_environment"),
    )

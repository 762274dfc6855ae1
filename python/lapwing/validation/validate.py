"""What operations take on a target, their algorithms forced, beside what is predicted of them."""

import os
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .._core import Profile
from ..errors import LapwingError, did_you_mean
from ..launch import Target, resized
from ..launch.algorithms import OWN_CHOICE, TABLES, Forced, algorithms, force, options
from ..launch.native import find_native
from ..measure.native import Launch, operations
from ..prediction.grid import grid
from ..profiles.provenance import describes, measured_on
from ..units import show_size

OPERATIONS = (
    "send",
    "barrier",
    "bcast",
    "alltoall",
    "allgather",
    "allreduce",
    "reduce",
    "reduce_scatter",
    "gather",
    "scatter",
)
STRIDED = ("send", "bcast")

# All ranks' buffers one way, bytes, at most.
MOST_MEMORY = 2 << 30


@dataclass(frozen=True)
class Case:
    """One operation with one algorithm on a number of ranks; a send has two."""

    operation: str
    algorithm: str
    ranks: int


@dataclass(frozen=True)
class Timed:
    """What one size of a case took.

    size: bytes.  seconds: from the common start until the last rank was done.  error: relative, of
    the median.  packed: strided data was packed by hand, rather than described to MPI by a type;
    None where it is not strided.  same_surroundings: whether the processors were then as well off
    as they should be; None where nobody looked.
    """

    case: Case
    size: int
    seconds: float
    error: float
    packed: bool | None = None
    same_surroundings: bool | None = None


@dataclass(frozen=True)
class LeftOut:
    """A size, bytes, of a case that was not run, and why."""

    case: Case
    size: int
    reason: str


def validate(
    launch: Launch,
    profile: Profile,
    *,
    names: Sequence[str] = (),
    ranks: Sequence[int] = (),
    sizes: Sequence[int] = (8, 1024, 65536, 1 << 20),
    algorithm: str = "all",
    stride: int | None = None,
    wait: float | None = None,
) -> dict[str, Any]:
    """Run operations and predict them; the document of `lapwing validate`.

    names: of operations; all where there are none.  ranks: how many to run on, each for itself;
    as many as the target has where there are none.  sizes: bytes.  algorithm: one, "all" that the
    MPI can be made to take, "mpi" for what it chooses; in simulation, what "mvapich2", "mpich" or
    "openmpi" would choose.  stride: bytes from one double to the next, of a send and a bcast, each
    packed by hand and as a type.  wait: seconds that each launch may wait until the processors of
    two ranks are as well off as in the profile; half a minute where it is not said.
    """
    mpi = mpi_of(launch)
    names = _operations(names, stride)
    cases = _cases(mpi, launch.target, names, ranks or [launch.target.ranks], algorithm)
    warnings = _elsewhere(profile, launch.target)
    results: list[dict[str, Any]] = []
    left_out: list[dict[str, Any]] = []
    # Where the profile is of another place its processors are nothing to wait for.
    asked = {} if warnings else _surroundings(profile, stride)
    for one in run(launch, cases, sizes, stride, warnings, asked, wait):
        if isinstance(one, LeftOut):
            _note(left_out, one)
        else:
            results.append(_result(profile, mpi, launch.target, one, stride))
    if not results:
        raise LapwingError(
            f"nothing to run: {left_out[0]['operation']} {left_out[0]['algorithm']} is left out, "
            f"{left_out[0]['reason']}"
        )
    return {
        "lapwing": "validate",
        "target": launch.target.text,
        "mpi": mpi,
        "results": results,
        "left_out": left_out,
        "summary": summarise(results),
        # How many other programs there were is another number each time.
        "warnings": list({line.partition(" (")[0]: line for line in warnings}.values()),
    }


def _surroundings(profile: Profile, stride: int | None) -> Mapping[str, float]:
    """Those in which the table was measured that predictions of two ranks rest on."""
    for part in ("latency" if stride is None else "log3p", "loggp"):
        if part in profile.measured_in:
            return profile.measured_in[part]
    return profile.surroundings


def mpi_of(launch: Launch) -> str:
    """Which MPI runs on the target: "simgrid", "openmpi", "mpich" or "any"."""
    return "simgrid" if launch.target.kind == "sim" else find_native(launch.mpi).mpi


def memory(operation: str, ranks: int, size: int) -> int:
    """Bytes that the larger of all ranks' send and receive buffers take together."""
    if operation in ("alltoall", "allgather", "reduce_scatter"):
        return ranks * ranks * size
    return ranks * size


def _room(launch: Launch) -> int:
    """Bytes that all ranks' buffers one way may have; there are others, and MPI's own."""
    if launch.elsewhere:
        return MOST_MEMORY
    physical = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return min(MOST_MEMORY, physical // 4)


def run(
    launch: Launch,
    cases: Sequence[Case],
    sizes: Sequence[int],
    stride: int | None = None,
    warnings: list[str] | None = None,
    surroundings: Mapping[str, float] | None = None,
    wait: float | None = None,
) -> Iterator[Timed | LeftOut]:
    """Time every size of all `cases`, each number of ranks in launches of its own.

    stride: bytes from one double to the next; both ways to send such data are timed beside each
    other, for a launch is fast or slow as a whole.  warnings: gets what makes a timing doubtful.
    surroundings: of the processors of two ranks, as they should be.  wait: seconds for them to be
    so, each launch.
    """
    mpi = mpi_of(launch)
    waves = list(_waves(mpi, cases))
    for number, wave in enumerate(waves):
        part = launch.part(number / len(waves), (number + 1) / len(waves))
        told = [] if warnings is None else warnings
        yield from _wave(part, mpi, wave, sizes, stride, told, surroundings, wait)


def _elsewhere(profile: Profile, target: Target) -> list[str]:
    """A warning where the profile is of another place than the target."""
    if describes(profile, target.text, target.cluster_digest):
        return []
    return [f"the profile was measured on {measured_on(profile)}, not on {target.text}"]


def _operations(names: Sequence[str], stride: int | None) -> Sequence[str]:
    known = STRIDED if stride else OPERATIONS
    for name in names:
        if name not in OPERATIONS:
            near = did_you_mean(name, list(OPERATIONS))
            raise LapwingError(f'unknown operation "{name}"{near}: it is {_either(OPERATIONS)}')
        if name not in known:
            raise LapwingError(f"--stride: {name} is never strided, {_either(STRIDED)} is")
    return list(dict.fromkeys(names)) or known


def _cases(
    mpi: str, target: Target, names: Sequence[str], ranks: Sequence[int], algorithm: str
) -> list[Case]:
    """All there is to run; the ranks and the algorithm are there."""
    for count in ranks:
        if count < 2:
            raise LapwingError("--ranks: it takes 2 to communicate")
        if target.kind != "sim" and count > target.ranks:
            raise LapwingError(f"--ranks {count}: {target.text} has {target.ranks} ranks")
        resized(target, count)  # which says what is wrong with it
    if algorithm == OWN_CHOICE and mpi not in TABLES:
        raise LapwingError(
            f"--algorithm mpi: nobody wrote down what {_spoken(mpi)} chooses"
            + (f"; write {_either(TABLES)}" if mpi == "simgrid" else "")
        )
    cases = []
    for name in names:
        # There is nothing to choose of a send.
        every = algorithm == "all" or (name == "send" and algorithm in (OWN_CHOICE, *TABLES))
        for chosen in algorithms(mpi, name) if every else [algorithm]:
            for count in [2] if name == "send" else sorted(set(ranks)):
                if force(mpi, name, chosen, count) is not None:
                    cases.append(Case(name, chosen, count))
    if not cases:
        known = ["all", *(TABLES if mpi == "simgrid" else [OWN_CHOICE])]
        known += [one for name in names for one in algorithms(mpi, name)]
        raise LapwingError(
            f"--algorithm {algorithm}: {_spoken(mpi)} cannot be made to take it for "
            f"{_either(names)}{did_you_mean(algorithm, known)}; "
            f"known are {', '.join(dict.fromkeys(known))}"
        )
    return cases


def _waves(mpi: str, cases: Sequence[Case]) -> Iterator[list[Case]]:
    """Cases that can be launched together: other operations, and settings that do not meet."""
    waves: list[tuple[list[Case], dict[str, str]]] = []
    for case in cases:
        settings = _forced(mpi, case).settings
        for wave, told in waves:
            if _together(case, settings, wave, told):
                wave.append(case)
                told.update(settings)
                break
        else:
            waves.append(([case], dict(settings)))
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
        and all(told.get(name, value) == value for name, value in settings.items())
    )


def _wave(
    launch: Launch,
    mpi: str,
    wave: Sequence[Case],
    sizes: Sequence[int],
    stride: int | None,
    warnings: list[str],
    surroundings: Mapping[str, float] | None,
    wait: float | None,
) -> Iterator[Timed | LeftOut]:
    """One launch, of the sizes that can be run."""
    room = _room(launch)
    spread = 1 if stride is None else max(1, stride // 8)  # times the data's own size
    asked: dict[str, list[int]] = {}
    told: dict[str, str] = {}
    for case in wave:
        forced = _forced(mpi, case)
        for size in sizes if case.operation != "barrier" else [0]:
            reason = forced.differs(case.ranks, size)
            if stride is not None and size % 8 != 0:
                reason = "not whole doubles of 8 bytes"
            if memory(case.operation, case.ranks, size) * spread > room:
                reason = f"more than {show_size(room)} of messages"
            if reason:
                yield LeftOut(case, size, reason)
            else:
                asked.setdefault(case.operation, []).append(size)
                told.update(forced.settings)
    if not asked:
        return
    extra, environment = options(mpi, told)
    ready = replace(
        launch,
        target=resized(launch.target, wave[0].ranks),
        options=[*extra, *launch.options],
        settings={**(launch.settings or {}), **environment},
    )
    found = operations(ready, asked, stride=stride, surroundings=surroundings, wait=wait)
    warnings += found["warnings"]
    cases = {case.operation: case for case in wave}
    for entry in found["measurements"]:
        yield Timed(
            cases[entry["operation"]],
            entry["size"],
            entry["seconds"],
            entry["error"],
            entry.get("packed"),
            entry.get("same_surroundings"),
        )


def _forced(mpi: str, case: Case) -> Forced:
    forced = force(mpi, case.operation, case.algorithm, case.ranks)
    if forced is None:
        raise LapwingError(
            f"{_spoken(mpi)} cannot be made to take {case.algorithm} for {case.operation}"
        )
    return forced


def _result(
    profile: Profile, mpi: str, target: Target, timed: Timed, stride: int | None
) -> dict[str, Any]:
    case = timed.case
    try:
        predicted, measured_range = _predicted(profile, mpi, target, timed, stride)
    except ValueError as error:
        raise LapwingError(f"{case.operation} {case.algorithm}: {error}") from None
    result: dict[str, Any] = {
        "operation": case.operation,
        "algorithm": case.algorithm,
        "ranks": case.ranks,
        "size": timed.size,
    }
    if stride is not None:
        result |= {"stride": stride, "packed": timed.packed}
    measured: dict[str, Any] = {"seconds": timed.seconds, "error": timed.error}
    if timed.same_surroundings is not None:
        measured["same_surroundings"] = timed.same_surroundings
    return result | {
        "measured": measured,
        "predicted": {"seconds": predicted},
        "difference": {"seconds": predicted - timed.seconds},
        "error": predicted / timed.seconds - 1,
        "measured_range": measured_range,
    }


def _predicted(
    profile: Profile, mpi: str, target: Target, timed: Timed, stride: int | None
) -> tuple[float, bool]:
    """Seconds, and whether every message has a size that the profile has tables for."""
    case = timed.case
    ((made,),) = grid(
        profile,
        case.operation,
        ranks=[case.ranks],
        sizes=[timed.size],
        algorithm=mpi if case.algorithm == OWN_CHOICE else case.algorithm,
        stride=stride,
        packed=bool(timed.packed),
        ppn=target.ppn or 1,
    ).rows
    return made.seconds, made.measured_range


def _note(left_out: list[dict[str, Any]], one: LeftOut) -> None:
    """Adds to what was left out; the sizes of one case and one reason together."""
    entry = {
        "operation": one.case.operation,
        "algorithm": one.case.algorithm,
        "ranks": one.case.ranks,
        "reason": one.reason,
    }
    for known in left_out:
        if all(known[name] == value for name, value in entry.items()):
            if one.size not in known["sizes"]:
                known["sizes"].append(one.size)
            return
    left_out.append({**entry, "sizes": [one.size]})


def in_place(result: dict[str, Any]) -> bool:
    """Whether it was timed in the profile's surroundings, or nobody looked."""
    return bool(result["measured"].get("same_surroundings", True))


def summarise(results: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Errors of all results, and of those in the profile's surroundings where they are some."""
    found = _errors(results)
    alike = [one for one in results if in_place(one)]
    if 0 < len(alike) < len(results):
        found["same_surroundings"] = _errors(alike)
    return found


def _errors(results: Sequence[dict[str, Any]]) -> dict[str, Any]:
    worst = max(results, key=lambda result: abs(result["error"]))
    names = ("operation", "algorithm", "ranks", "size", "stride", "packed")
    sizes = [abs(result["error"]) for result in results]
    return {
        "cells": len(results),
        "mean": statistics.fmean(sizes),
        "median": statistics.median(sizes),
        "worst": worst["error"],
        "at": {name: worst[name] for name in names if name in worst},
    }


def _spoken(mpi: str) -> str:
    names = {"simgrid": "the simulator", "openmpi": "Open MPI", "mpich": "MPICH"}
    return names.get(mpi, "this MPI")


def _either(names: Sequence[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)

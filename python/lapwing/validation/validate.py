"""Measured times of operations beside what is predicted of them: the document of a validation."""

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from .._core import Profile
from ..errors import LapwingError
from ..launch import Launch, Target
from ..launch.algorithms import OWN_CHOICE
from ..prediction.grid import grid
from ..profiles.provenance import describes, measured_on
from ..results.labelled import Document
from ..units.arguments import Size, Time, in_bytes, in_seconds
from .cases import cases_of, operations_of
from .timing import Conditions, LeftOut, Timed, time_cases


def validate(
    profile: Profile,
    operations: Sequence[str] = (),
    *,
    on: str | Launch,
    ranks: Sequence[int] = (),
    sizes: Sequence[Size] = (8, 1024, 65536, 1 << 20),
    algorithm: str = "all",
    stride: Size | None = None,
    wait: Time | None = None,
) -> Document:
    """Run operations on a target, and compare their times with predictions.

    Sizes are bytes or text such as "64KB", times are seconds or text such as "5s".

    profile: the machine that predictions are made for.
    operations: "send" and collectives, such as "bcast"; empty, all.
    on: where, such as "mpi:4" or "sim:ib4x"; or a `Launch`.
    ranks: numbers of ranks, each in launches of its own; empty, as many as the target has.
    sizes: of messages, as `lapwing.predict` counts them.
    algorithm: one by its name; "all" that the MPI lets a program choose; "mpi", its own choice. In
        simulation also "mvapich2", "mpich" or "openmpi", for the choice of that library.
    stride: from one double to the next, of a send and a bcast, each packed by hand and as a type.
    wait: time that each launch may wait until two ranks are in the profile's environment; None, 0.

    Returns the result of `lapwing validate`. Raises LapwingError if something cannot be run.
    """
    launch, apart = Launch.on(on), None if stride is None else in_bytes(stride)
    names = operations_of(operations, apart)
    cases = cases_of(launch.family, launch.target, names, ranks or [launch.target.ranks], algorithm)
    warnings = _elsewhere(profile, launch.target)
    # The environment of another machine is nothing to wait for here.
    asked = {} if warnings else _environment(profile, apart)
    waits = None if wait is None else in_seconds(wait)
    conditions = Conditions([in_bytes(size) for size in sizes], apart, asked, waits)
    results: list[dict[str, Any]] = []
    left_out: list[dict[str, Any]] = []
    for one in time_cases(launch, cases, conditions, warnings):
        if isinstance(one, LeftOut):
            _add_left_out(left_out, one)
        else:
            results.append(_result(profile, launch, one, apart))
    if not results:
        raise LapwingError(
            f"nothing to run: {left_out[0]['operation']} {left_out[0]['algorithm']} is left out, "
            f"{left_out[0]['reason']}"
        )
    return Document(
        lapwing="validate",
        target=launch.target.text,
        mpi=launch.family,
        results=results,
        left_out=left_out,
        summary=summarise(results),
        # Warnings that differ in nothing but the numbers in brackets are one.
        warnings=list({line.partition(" (")[0]: line for line in warnings}.values()),
    )


def in_place(result: dict[str, Any]) -> bool:
    """Whether an entry was timed in the profile's environment, or nobody looked."""
    measured = result["measured"]
    # Earlier documents have another word for it.
    return bool(measured.get("same_environment", measured.get("same_surroundings", True)))


def summarise(results: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The errors of all results, and of those in the profile's environment if they are some."""
    found = _errors(results)
    alike = [one for one in results if in_place(one)]
    if 0 < len(alike) < len(results):
        found["same_environment"] = _errors(alike)
    return found


def _environment(profile: Profile, stride: int | None) -> Mapping[str, Mapping[str, float]]:
    """The environment of the part of the profile that predictions of two ranks rest on."""
    for part in ("latency" if stride is None else "log3p", "loggp"):
        if part in profile.environment:
            return profile.environment[part]
    return profile.best_environment


def _elsewhere(profile: Profile, target: Target) -> list[str]:
    """A warning if the profile is not of the target."""
    if describes(profile, target.text, target.cluster_digest):
        return []
    return [f"the profile was measured on {measured_on(profile)}, not on {target.text}"]


def _result(profile: Profile, launch: Launch, timed: Timed, stride: int | None) -> dict[str, Any]:
    """One entry of the document: what was timed, beside its prediction."""
    case = timed.case
    try:
        predicted, measured_range = _predicted(profile, launch, timed, stride)
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
    if timed.same_environment is not None:
        measured["same_environment"] = timed.same_environment
    return result | {
        "measured": measured,
        "predicted": {"seconds": predicted},
        "difference": {"seconds": predicted - timed.seconds},
        "error": predicted / timed.seconds - 1,
        "measured_range": measured_range,
    }


def _predicted(
    profile: Profile, launch: Launch, timed: Timed, stride: int | None
) -> tuple[float, bool]:
    """Seconds, and whether the profile has tables for the sizes of all messages."""
    case = timed.case
    ((made,),) = grid(
        profile,
        case.operation,
        ranks=[case.ranks],
        sizes=[timed.size],
        algorithm=launch.family if case.algorithm == OWN_CHOICE else case.algorithm,
        stride=stride,
        packed=bool(timed.packed),
        ppn=launch.target.ppn or 1,
    ).rows
    return made.seconds, made.measured_range


def _add_left_out(left_out: list[dict[str, Any]], one: LeftOut) -> None:
    """Add to what was left out; the sizes of one case and one reason are one entry."""
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

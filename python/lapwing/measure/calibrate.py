"""Calibration: measuring what communication costs on a target, as a profile."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from .._core import Profile
from ..errors import LapwingError
from ..launch import Launch, Target, as_arguments
from ..launch.native import SHMEM
from ..profiles.median_of_launches import median_of_launches
from ..units.arguments import Time, in_seconds
from .shmem import SHMEM_TIMEOUT, has_shmem

# The share of a calibration's progress that OpenSHMEM takes where it is measured too.
_SHMEM_SHARE = 0.25


@dataclass(frozen=True)
class _Asked:
    """What a calibration measures: the parameters of `calibrate`."""

    quick: bool = False
    accuracy: float | None = None
    ranks: Sequence[int] | None = None
    pairs: Sequence[Sequence[int]] = ()
    only: Sequence[str] = ()
    wait: float | None = None


def calibrate(
    on: str | Launch,
    *,
    quick: bool = False,
    accuracy: float | None = None,
    ranks: Sequence[int] | None = None,
    pairs: Sequence[Sequence[int]] = (),
    only: Sequence[str] = (),
    wait: Time | None = None,
    repeat: int = 1,
) -> Profile:
    """Measure what communication costs on a target: its profile, as `lapwing calibrate` writes it.

    on: where, such as "mpi", "sim:ib4x:8" or "net:1gbit"; or a `Launch`.
    quick: fewer sizes and bursts, less accuracy.
    accuracy: relative error to aim for.
    ranks: numbers of ranks that communicate at once in the patterns; None, powers of two and
        all.
    pairs: pairs of ranks that are measured besides the main pair.
    only: parts to measure besides the LogGP parameters; empty, all parts. docs/calibrate.md has
        them all.
    wait: time that each launch may wait for the best environment that it met to come again,
        seconds or text such as "5s"; None, 0.
    repeat: number of launches; each cost is their median.

    Raises LapwingError, with the reason, if something cannot be measured.
    """
    launch = Launch.on(on)
    waits = None if wait is None else in_seconds(wait)
    asked = _Asked(quick, accuracy, ranks, pairs, only, waits)
    if repeat < 1:
        raise LapwingError(f"repeat: {repeat} launches are none")
    _require_ranks(launch.target, asked.ranks, asked.pairs)
    documents: list[str] = []
    for number in range(repeat):
        part = launch.part(number / repeat, (number + 1) / repeat)
        # All launches measure the sizes of the first, or there would be no medians.
        documents.append(_one_launch(part, asked, documents[0] if documents else None))
    try:
        return Profile.from_json(_with_version(median_of_launches(documents)))
    except ValueError as error:
        raise LapwingError(f"{launch.target.text}: the result is no profile: {error}") from None


def _with_version(document: str) -> str:
    """The profile document with the version of Lapwing that measured it."""
    profile: dict[str, Any] = json.loads(document)
    profile["machine"]["lapwing"] = version("lapwing")
    return json.dumps(profile, indent=2, ensure_ascii=False) + "\n"


def _one_launch(launch: Launch, asked: _Asked, sizes_of: str | None) -> str:
    """The profile document of one launch.

    sizes_of: the document of an earlier launch, whose message sizes are measured again.
    """
    with launch.directory() as directory:
        output = directory / "profile.json"
        common = ["calibrate", "--output", str(output)]
        common += as_arguments({"--quick": asked.quick, "--accuracy": asked.accuracy})
        more = as_arguments({"--processes": asked.ranks})
        for pair in asked.pairs:
            more += as_arguments({"--pair": pair})
        more += as_arguments({"--only": asked.only, "--wait": asked.wait})
        if sizes_of is not None:
            other = directory / "sizes.json"
            other.write_text(sizes_of, encoding="utf-8")
            more += ["--sizes-of", str(other)]
        # OpenSHMEM has a program of its own. It is measured where that was built.
        with_shmem = (not asked.only or "operations" in asked.only) and has_shmem(launch)
        share = 1 - _SHMEM_SHARE if with_shmem else 1
        launch.part(0, share)([*common, *more])
        document = launch.result(output)
        if with_shmem:
            output.unlink()
            document = _add_shmem(launch.part(1 - _SHMEM_SHARE, 1), document, common, output)
    return document


def _add_shmem(launch: Launch, document: str, arguments: Sequence[str], output: Path) -> str:
    """The profile `document` with the operations of OpenSHMEM, or with a warning that says why not.

    arguments: of the command `calibrate`, which writes its result to the file `output`.
    """
    profile: dict[str, Any] = json.loads(document)
    try:
        replace(launch, timeout=SHMEM_TIMEOUT)(arguments, program=SHMEM)
        found: dict[str, Any] = json.loads(launch.result(output))
    except LapwingError as error:
        profile["warnings"].append(f"OpenSHMEM was not measured: {error}")
    else:
        before = len(profile.get("operations", []))
        moved = [_moved(entry, before) for entry in found["interpolated"]]
        for name, entries in {**found, "interpolated": moved}.items():
            if entries:
                profile.setdefault(name, []).extend(entries)
    return json.dumps(profile, indent=2, ensure_ascii=False) + "\n"


def _moved(entry: str, places: int) -> str:
    """The name of an entry of the list of operations, moved down by `places`."""
    return re.sub(
        r"^operations\[(\d+)\]", lambda found: f"operations[{int(found[1]) + places}]", entry
    )


def _require_ranks(
    target: Target, ranks: Sequence[int] | None, pairs: Sequence[Sequence[int]]
) -> None:
    """Refuse ranks that the target does not have, before any is started."""
    if ranks is not None and (not ranks or min(ranks) < 2):
        raise LapwingError("--ranks: it takes 2 to communicate")
    if ranks is not None and max(ranks) > target.ranks:
        raise LapwingError(f"--ranks {max(ranks)}: {target.text} has {target.ranks} ranks")
    for pair in pairs:
        shown = ",".join(map(str, pair))
        if len(pair) != 2 or pair[0] == pair[1]:
            raise LapwingError(f"--pair {shown}: two different ranks are a pair, e.g. 0,1")
        if max(pair) >= target.ranks:
            raise LapwingError(
                f"--pair {shown}: {target.text} has {target.ranks} ranks, from 0 to "
                f"{target.ranks - 1}"
            )

"""Transforms on a target in several ways, timed in turn with the native program."""

from dataclasses import dataclass, replace
from typing import Any

from .._core import Profile
from ..errors import LapwingError
from ..launch import Launch, as_arguments
from .choice import Chosen, choose, predicted_seconds
from .ways import (
    AUTO,
    PACKINGS,
    Asked,
    Problem,
    Way,
    program_of,
    read_packing,
    require_fit,
    require_memory,
)

# The schedule that others are compared with.
BASELINE = "exchange"

_REPETITIONS = 7
_SIMULATED_REPETITIONS = 1  # simulated runs take the same time each


@dataclass(frozen=True)
class Runs:
    """How transforms are run.

    effort: of planning lines.  poll: seconds from one poll of pending messages to the next, 0 for
    none.  repeat: runs of each way; None, as many as the target needs.  data: False, simulated
    ranks hold and move no data.
    """

    effort: str | None = None
    poll: float | None = None
    repeat: int | None = None
    data: bool = True


def time_transforms(
    launch: Launch,
    problem: Problem,
    asked: Asked,
    runs: Runs = Runs(),
    *,
    profile: Profile | None = None,
) -> dict[str, Any]:
    """Time forward transforms in every way that is asked for; the result document.

    profile: of the machine, for the schedule "auto" and to predict the time of each way.
    """
    _require_feasible(launch, problem, runs)
    named = asked.ways()
    _require_use(asked, named)
    ranks, ppn = launch.target.ranks, launch.target.ppn or 1
    chosen = choose(profile, problem, ranks, ppn) if AUTO in asked.schedules else None
    ways = _baseline_first(named, chosen, asked.transport)
    document = _run(launch, problem, ways, runs)
    _compare(document)
    for way, entry in zip(ways, document["ways"], strict=True):
        if chosen is not None and way == chosen.way:
            entry["auto"] = True
        seconds = (
            predicted_seconds(profile, problem, ranks, way, ppn) if profile is not None else None
        )
        if seconds is not None:
            entry["predicted"] = {"seconds": seconds}
            entry["prediction_error"] = seconds / entry["time"]["seconds"] - 1
    if chosen is not None:
        document["auto"] = chosen.document()
    return document


def _require_feasible(launch: Launch, problem: Problem, runs: Runs) -> None:
    """Refuse runs without data on a real network, and arrays that memory cannot hold."""
    if not runs.data and launch.target.kind != "sim":
        raise LapwingError(
            f"--no-data: {launch.target.text} is no simulated cluster, and takes time to move data"
        )
    # A batch has a second buffer; half a spectrum is as large as its real array.
    arrays = (2 * problem.batch + min(problem.batch, 2)) if runs.data else problem.batch
    require_memory(
        launch,
        f"--size {'x'.join(map(str, problem.size))}",
        problem.size,
        arrays / 2 if problem.real else arrays,
    )


def _require_use(asked: Asked, ways: list[Way]) -> None:
    """Refuse a transport or a packing that none of the ways uses."""
    if asked.transport is not None and all(way.transport != asked.transport for way in ways):
        require_fit(ways[0].schedule if ways else BASELINE, asked.transport)
    packed = {way.packing for way in ways}
    for packing in asked.packings:
        if read_packing(packing)[0] not in packed:
            raise LapwingError(
                f"--packing {packing}: no schedule uses it; compare the exchange, over "
                f"{' or '.join(PACKINGS[read_packing(packing)[0]])}"
            )


def _baseline_first(ways: list[Way], chosen: Chosen | None, transport: str | None) -> list[Way]:
    """All ways, each once: those of the baseline first, added if nobody asked for it."""
    found = [*ways, *([chosen.way] if chosen is not None else [])]
    if all(way.schedule != BASELINE for way in found):
        found = [*Asked([BASELINE], transport).ways(), *found]
    return sorted(dict.fromkeys(found), key=lambda way: way.schedule != BASELINE)


def _run(launch: Launch, problem: Problem, ways: list[Way], runs: Runs) -> dict[str, Any]:
    """The native program's document."""
    repetitions = runs.repeat
    if repetitions is None:
        repetitions = _SIMULATED_REPETITIONS if launch.target.kind == "sim" else _REPETITIONS
    if not runs.data:
        launch = replace(launch, settings={**(launch.settings or {}), "LAPWING_NO_DATA": "1"})
    options = {
        "--size": problem.size,
        "--real": problem.real,
        "--batch": problem.batch,
        "--order": problem.order,
        "--decomposition": problem.decomposition,
        "--repeat": repetitions,
        "--effort": runs.effort,
        "--poll": runs.poll,
    }
    transports = {way.transport for way in ways}
    launch, program = program_of(launch, transports, problem.size, problem.batch)
    words = ["fft"]
    for way in ways:
        words += as_arguments({"--way": str(way)})
    return launch.document(words, options, output="--result", program=program)


def _compare(document: dict[str, Any]) -> None:
    """Add what each way takes beyond the lines, and how much less that is than of the blocking way.

    The seconds of the lines are those of the first way, which is blocking: no message is pending
    while it transforms them.
    """
    blocking = document["ways"][0]
    lines = blocking["phases"]["computation"]["seconds"]
    base = blocking["time"]["seconds"] - lines
    document["lines"] = blocking["phases"]["computation"]
    for entry in document["ways"]:
        overhead = entry["time"]["seconds"] - lines
        entry["overhead"] = {"seconds": overhead}
        if base > 0:
            entry["overhead_reduction"] = 1 - overhead / base

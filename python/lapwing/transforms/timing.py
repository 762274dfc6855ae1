"""Transforms on a target in several ways, timed in turn with the native program."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .._core import Profile
from ..errors import LapwingError
from ..launch import Launch
from .ways import (
    AUTO,
    PACKINGS,
    Problem,
    Way,
    choose,
    forecast,
    read_packing,
    require_fit,
    require_memory,
    ways,
)

# What others are compared with.
BASELINE = "exchange"

_REPETITIONS = 7
_SIMULATED_REPETITIONS = 1  # all are the same


def time_transforms(
    launch: Launch,
    problem: Problem,
    schedules: Sequence[str],
    *,
    profile: Profile | None = None,
    transport: str | None = None,
    tiles: Sequence[int] = (),
    windows: Sequence[int] = (),
    strips: Sequence[int] = (),
    packings: Sequence[str] = (),
    effort: str | None = None,
    poll: float | None = None,
    repetitions: int | None = None,
    data: bool = True,
) -> dict[str, Any]:
    """Time forward transforms; the result document.

    schedules: as `ways` has them, or "auto".  profile: of the machine, for `auto` and to say what
    each way was predicted to take.  transport, tiles, windows, strips, packings: as `ways` has
    them.  effort: of planning lines.  poll: seconds between two looks at what is under way, 0 for
    none.  repetitions: runs of each way.  data: if not, simulated ranks have no memory.
    """
    simulated = launch.target.kind == "sim"
    if not data and not simulated:
        raise LapwingError(
            f"--no-data: {launch.target.text} is no simulated cluster, and takes time to move data"
        )
    # Half a spectrum is as large as the real array, and a batch has a second buffer.
    arrays = (2 * problem.batch + min(problem.batch, 2)) if data else problem.batch
    require_memory(
        launch,
        f"--size {'x'.join(map(str, problem.size))}",
        problem.size,
        arrays / 2 if problem.real else arrays,
    )
    names = [name for name in schedules if name != AUTO]
    asked = [
        way for name in names for way in ways(name, transport, tiles, windows, strips, packings)
    ]
    if transport is not None and all(way.transport != transport for way in asked):
        require_fit(names[0] if names else BASELINE, transport)
    packed = {way.packing for way in asked}
    for packing in packings:
        if read_packing(packing)[0] not in packed:
            raise LapwingError(
                f"--packing {packing}: no way has a use for it; compare the exchange, over "
                f"{' or '.join(PACKINGS[read_packing(packing)[0]])}"
            )
    ranks, ppn = launch.target.ranks, launch.target.ppn or 1
    chosen = choose(profile, problem, ranks, ppn) if AUTO in schedules else None
    if chosen is not None:
        asked.append(chosen.way)
    if all(way.schedule != BASELINE for way in asked):
        asked = [*ways(BASELINE, transport), *asked]
    run = sorted(dict.fromkeys(asked), key=lambda way: way.schedule != BASELINE)
    if repetitions is None:
        repetitions = _SIMULATED_REPETITIONS if simulated else _REPETITIONS
    document = _run(launch, problem, run, effort, poll, repetitions, data)
    _compare(document)
    for way, entry in zip(run, document["ways"], strict=True):
        if chosen is not None and way == chosen.way:
            entry["auto"] = True
        seconds = forecast(profile, problem, ranks, way, ppn) if profile is not None else None
        if seconds is not None:
            entry["predicted"] = {"seconds": seconds}
            entry["prediction_error"] = seconds / entry["time"]["seconds"] - 1
    if chosen is not None:
        document["auto"] = chosen.document()
    return document


def _run(
    launch: Launch,
    problem: Problem,
    run: list[Way],
    effort: str | None,
    poll: float | None,
    repetitions: int,
    data: bool,
) -> dict[str, Any]:
    if not data:
        launch = replace(launch, settings={**(launch.settings or {}), "LAPWING_NO_DATA": "1"})
    with launch.directory() as directory:
        result = directory / "result.json"
        arguments = ["fft", "--size", ",".join(map(str, problem.size)), "--result", str(result)]
        arguments += ["--real"] if problem.real else []
        arguments += ["--batch", str(problem.batch), "--order", problem.order]
        arguments += ["--decomposition", problem.decomposition]
        arguments += ["--repeat", str(repetitions)]
        arguments += ["--effort", effort] if effort is not None else []
        arguments += ["--poll", str(poll)] if poll is not None else []
        for way in run:
            arguments += ["--way", str(way)]
        launch(arguments)
        document: dict[str, Any] = json.loads(launch.result(result))
    return document


def _compare(document: dict[str, Any]) -> None:
    """Add what each way takes beyond the lines, and how much less that is than of the blocking way.

    The lines alone are those of the first way, which is blocking: nothing is under way meanwhile.
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

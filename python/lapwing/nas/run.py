"""Running a NAS benchmark on a target."""

import os
from collections.abc import Mapping
from typing import Any

from .._core import Profile
from ..errors import LapwingError
from ..launch import Launch
from ..launch.launch import require_room
from .benchmarks import AUTO, BENCHMARKS


def run_nas(
    launch: Launch,
    benchmark: str,
    problem: str,
    *,
    schedule: str = "overlapped",
    transport: str | None = None,
    settings: Mapping[str, int | None] | None = None,
    profile: Profile | None = None,
    trace: str | None = None,
) -> dict[str, Any]:
    """Run the class `problem` of a benchmark, and return the result document.

    schedule: "auto" lets a plan choose it, the transport and the settings, by `profile`.
    settings: see `BENCHMARKS`; None, the usual value.  profile: of the machine; with one the time
    is predicted as well.  trace: a file for the time line of all ranks.
    """
    given = {name: value for name, value in (settings or {}).items() if value is not None}
    if schedule == AUTO:
        if profile is None:
            raise LapwingError("auto: it plans by the machine's profile; name one")
        if transport is not None or given:
            raise LapwingError("auto: it chooses transport and settings too; leave them out")
    require_room(launch, f"--class {problem}", BENCHMARKS[benchmark].memory[problem])
    options: dict[str, object] = {
        "--class": problem,
        "--schedule": schedule,
        "--transport": transport,
        "--ranks-per-node": launch.target.ppn,
        "--trace": os.path.abspath(trace) if trace else None,
        **{f"--{name}": value for name, value in given.items()},
    }
    files = {"--profile": None if profile is None else profile.to_json()}
    return launch.document([benchmark], options, files=files, output="--result")

"""NAS FT on a target, with the native program."""

import json
from typing import Any

from . import Profile
from .errors import LapwingError
from .measure import Launch
from .transforms import AUTO, choose, require_fit, require_memory

# Elements along x, y and z.
CLASSES = {
    "S": (64, 64, 64),
    "W": (128, 128, 32),
    "A": (256, 256, 128),
    "B": (512, 256, 256),
    "C": (512, 512, 512),
    "D": (2048, 1024, 1024),
    "E": (4096, 2048, 2048),
}
_ARRAYS = 3  # in frequency, in space, and what is exchanged


def ft(
    launch: Launch,
    problem: str,
    *,
    schedule: str = "slabs",
    profile: Profile | None = None,
    transport: str | None = None,
    tile: int | None = None,
    window: int | None = None,
    strips: int | None = None,
    effort: str | None = None,
) -> dict[str, Any]:
    """Run the benchmark's class `problem`; the result document.

    schedule: when data is sent; "auto", chosen from `profile` with all that belongs to it.
    transport: how; None, the usual one.  tile: planes in an all-to-all, for `tiled`.  window:
    messages in flight, or all-to-alls.  strips: of a part, for `strips`.  effort: of planning.
    """
    nx, ny, nz = CLASSES[problem]
    size = nz, ny, nx
    if schedule != AUTO:
        if transport is not None:
            require_fit(schedule, transport)
        if tile is not None and schedule != "tiled":
            raise LapwingError(f"--tile: the schedule {schedule} has no tiles; leave it out")
        if strips is not None and schedule != "strips":
            raise LapwingError(f"--strips: the schedule {schedule} has no strips; leave it out")
    elif any(given is not None for given in (transport, tile, window, strips)):
        raise LapwingError(
            "auto: it chooses transport, tile, window and strips too; leave them out"
        )
    require_memory(launch, f"--class {problem}", size, _ARRAYS)
    chosen = None
    if schedule == AUTO:
        chosen = choose(profile, size, launch.target.ranks, launch.target.ppn or 1)
        way = chosen.way
        schedule, transport, tile, window = way.schedule, way.transport, way.tile, way.window
        strips = way.strips
    with launch.directory() as directory:
        result = directory / "result.json"
        arguments = ["ft", "--class", problem, "--schedule", schedule, "--result", str(result)]
        options = {
            "--transport": transport,
            "--tile": tile,
            "--window": window,
            "--strips": strips,
            "--effort": effort,
        }
        for name, value in options.items():
            if value is not None:
                arguments += [name, str(value)]
        launch(arguments)
        document: dict[str, Any] = json.loads(launch.result(result))
    if chosen is not None:
        document["auto"] = chosen.document()
    return document

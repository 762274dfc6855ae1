"""NAS FT on a target, with the native program."""

import json
from typing import Any

from .._core import Profile
from ..errors import LapwingError
from ..launch import Launch
from .ways import (
    AUTO,
    CUTTING,
    PACKINGS,
    Problem,
    choose,
    read_packing,
    require_fit,
    require_memory,
)

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


def run_nas_ft(
    launch: Launch,
    problem: str,
    *,
    schedule: str = "slabs",
    profile: Profile | None = None,
    transport: str | None = None,
    tile: int | None = None,
    window: int | None = None,
    strips: int | None = None,
    packing: str | None = None,
    effort: str | None = None,
) -> dict[str, Any]:
    """Run the benchmark's class `problem`; the result document.

    schedule: when data is sent; "auto", chosen from `profile` with all that belongs to it.
    transport: how; None, the usual one.  tile: planes in an all-to-all, for `tiled`.  window:
    messages in flight, or all-to-alls.  strips: of a part, for `strips` and `tails`.  packing: for
    `exchange`, as `read_packing` has it.  effort: of planning.
    """
    nx, ny, nz = CLASSES[problem]
    size = nz, ny, nx
    if schedule != AUTO:
        if transport is not None:
            require_fit(schedule, transport)
        if tile is not None and schedule != "tiled":
            raise LapwingError(f"--tile: the schedule {schedule} has no tiles; leave it out")
        if packing is not None and schedule != "exchange":
            raise LapwingError(f"--packing: the schedule {schedule} packs nothing; leave it out")
        if strips is not None and schedule not in CUTTING:
            raise LapwingError(f"--strips: the schedule {schedule} has no strips; leave it out")
    elif any(given is not None for given in (transport, tile, window, strips, packing)):
        raise LapwingError(
            "auto: it chooses transport, tile, window, strips and packing too; leave them out"
        )
    require_memory(launch, f"--class {problem}", size, _ARRAYS)
    chosen = None
    packed = read_packing(packing or "copy")
    if packing is not None and (transport or "collective") not in PACKINGS[packed[0]]:
        raise LapwingError(f"--packing {packing}: for the transport collective alone")
    if schedule == AUTO:
        chosen = choose(profile, Problem(size), launch.target.ranks, launch.target.ppn or 1)
        way = chosen.way
        schedule, transport, tile, window = way.schedule, way.transport, way.tile, way.window
        strips = way.strips
        packed = way.packing, way.block, way.padding
    with launch.directory() as directory:
        result = directory / "result.json"
        arguments = ["ft", "--class", problem, "--schedule", schedule, "--result", str(result)]
        options = {
            "--transport": transport,
            "--tile": tile,
            "--window": window,
            "--strips": strips,
            "--packing": packed[0],
            "--block": packed[1],
            "--padding": packed[2],
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

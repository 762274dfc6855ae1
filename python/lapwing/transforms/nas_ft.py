"""Running the benchmark NAS FT on a target."""

from dataclasses import asdict
from typing import Any

from .._core import Profile
from ..errors import LapwingError
from ..launch import Launch
from .choice import choose
from .ways import (
    AUTO,
    CUTTING,
    PACKINGS,
    Problem,
    program_of,
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
_ARRAYS = 3  # in frequency space, in real space, and in exchange


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
    """Run NAS FT of the class `problem`, and return the result document.

    schedule: when data is sent; "auto" chooses it, and all that belongs to it, from `profile`.
    transport: how data is sent; None, the usual one.  tile: planes in an all-to-all, for `tiled`.
    window: messages in flight, or all-to-alls.  strips: pieces of a part of a plane, for `strips`
    and `tails`.  packing: for `exchange`, as `read_packing` reads it.  effort: of planning lines.
    """
    nx, ny, nz = CLASSES[problem]
    size = nz, ny, nx
    given = {"transport": transport, "tile": tile, "strips": strips, "packing": packing}
    _require_use(schedule, {**given, "window": window})
    require_memory(launch, f"--class {problem}", size, _ARRAYS)
    packed = read_packing(packing or "copy")
    if packing is not None and (transport or "collective") not in PACKINGS[packed[0]]:
        raise LapwingError(f"--packing {packing}: for the transport collective alone")
    options: dict[str, object] = {
        "--class": problem,
        "--schedule": schedule,
        "--transport": transport,
        "--tile": tile,
        "--window": window,
        "--strips": strips,
        "--packing": packed[0],
        "--block": packed[1],
        "--padding": packed[2],
        "--effort": effort,
    }
    if schedule != AUTO:
        launch, program = program_of(launch, [transport] if transport else [], size)
        return launch.document(["ft"], options, output="--result", program=program)
    chosen = choose(profile, Problem(size), launch.target.ranks, launch.target.ppn or 1)
    options |= {f"--{name}": value for name, value in asdict(chosen.way).items()}
    document = launch.document(["ft"], options, output="--result")
    return {**document, "auto": chosen.document()}


def _require_use(schedule: str, given: dict[str, Any]) -> None:
    """Refuse options that a schedule has no use for."""
    if schedule == AUTO:
        if any(value is not None for value in given.values()):
            raise LapwingError(
                "auto: it chooses transport, tile, window, strips and packing too; leave them out"
            )
        return
    if given["transport"] is not None:
        require_fit(schedule, given["transport"])
    unused = {
        "tile": (schedule == "tiled", "has no tiles"),
        "packing": (schedule == "exchange", "packs nothing"),
        "strips": (schedule in CUTTING, "has no strips"),
    }
    for name, (used, why) in unused.items():
        if given[name] is not None and not used:
            raise LapwingError(f"--{name}: the schedule {schedule} {why}; leave it out")

"""NAS FT on a target, with the native program."""

import json
import os
from typing import Any

from .errors import LapwingError
from .measure import Launch

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
# Each with the transports it can use, the usual one first.
SCHEDULES = {
    "exchange": ["collective", "two-sided", "rma"],
    "slabs": ["two-sided", "rma"],
    "pencils": ["two-sided", "rma"],
    "tiled": ["collective"],
}
TRANSPORTS = SCHEDULES["exchange"]
EFFORTS = ["estimate", "measure", "patient"]

_ELEMENT = 16  # bytes
_ARRAYS = 3  # in frequency, in space, and what is exchanged


def ft(
    launch: Launch,
    problem: str,
    *,
    schedule: str = "slabs",
    transport: str | None = None,
    tile: int | None = None,
    window: int | None = None,
    effort: str | None = None,
) -> dict[str, Any]:
    """Run the benchmark's class `problem`; the result document.

    schedule: when data is sent.  transport: how; None, the usual one.  tile: planes in an
    all-to-all, for `tiled`.  window: messages in flight, or all-to-alls.  effort: of planning.
    """
    _require_fit(schedule, transport, tile)
    _require_memory(launch, problem)
    with launch.directory() as directory:
        result = directory / "result.json"
        arguments = ["ft", "--class", problem, "--schedule", schedule, "--result", str(result)]
        options = {
            "--transport": transport,
            "--tile": tile,
            "--window": window,
            "--effort": effort,
        }
        for name, value in options.items():
            if value is not None:
                arguments += [name, str(value)]
        launch(arguments)
        try:
            document: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
        except OSError as error:
            raise LapwingError(
                f"{launch.target.text}: the run ended without a result: {error.strerror}"
            ) from None
    return document


def _require_fit(schedule: str, transport: str | None, tile: int | None) -> None:
    """Refuse a way to send that there is not."""
    if transport is not None and transport not in SCHEDULES[schedule]:
        fitting = " or ".join(SCHEDULES[schedule])
        raise LapwingError(
            f"--transport {transport}: the schedule {schedule} has no use for it; take {fitting}"
        )
    if tile is not None and schedule != "tiled":
        raise LapwingError(f"--tile: the schedule {schedule} has no tiles; leave it out")


def _require_memory(launch: Launch, problem: str) -> None:
    """Refuse what this machine cannot hold, before the kernel ends something to make room."""
    if launch.elsewhere:
        return
    nx, ny, nz = CLASSES[problem]
    needed = nx * ny * nz * _ELEMENT * _ARRAYS
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if needed > 0.9 * memory:
        raise LapwingError(
            f"--class {problem}: takes {needed / 1e9:.1f} GB of memory, and this machine has "
            f"{memory / 1e9:.1f} GB; take a smaller class, or a batch allocation"
        )

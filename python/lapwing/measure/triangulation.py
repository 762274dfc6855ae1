"""Delaunay triangulation on a target."""

import os
from typing import Any

from .._core import Profile
from ..errors import LapwingError
from ..launch import Launch
from ..launch.launch import physical_memory

SCHEDULES = ("blocking", "overlapped", "auto")
TRANSPORTS = ("two-sided", "put", "get")

_USUAL = 100_000  # points
_MOST = 10**12
_BYTES = 400  # of a point and its two triangles, while they are inserted


def points(text: str) -> int:
    """A number of points: `1000000`, or 0. ValueError says what is wrong."""
    if not (text.isascii() and text.isdigit() and int(text[:14]) <= _MOST and len(text) < 14):
        raise ValueError(f"'{text[:40]}' is not a whole number from 0 to {_MOST}")
    return int(text)


def triangulate(
    launch: Launch,
    *,
    points: int | None = None,
    seed: int | None = None,
    input: str | None = None,
    output: str | None = None,
    trace: str | None = None,
    verify: bool = False,
    profile: Profile | None = None,
    schedule: str = "auto",
    transport: str = "two-sided",
    message_size: int | None = None,
    window: int | None = None,
) -> dict[str, Any]:
    """Triangulate random points, or those of a file, and return the result document.

    points: random ones in the unit square.  seed: of them.  input: a file instead.
    output: a file for the triangles, which is overwritten.  trace: a file for the time line.
    verify: compare with the sequential triangulation.  profile: of the machine, to plan for it.
    schedule: one of SCHEDULES.  transport: one of TRANSPORTS.  message_size: bytes.
    window: messages in flight.
    """
    if input is not None and (points is not None or seed is not None):
        raise LapwingError("--input: its points are triangulated; leave --points and --seed out")
    if input is None:
        count = _USUAL if points is None else points
        what = f"--points {count}"
    else:
        count, what = _lines(input), f"--input {input}"
    _require_memory(launch, what, count, verify)
    options: dict[str, object] = {
        "--points": count if input is None else None,
        "--seed": seed,
        "--input": input,
        "--output": output,
        "--trace": trace,
        "--verify": verify,
        "--schedule": schedule,
        "--transport": transport,
        "--message-size": message_size,
        "--window": window,
    }
    files = {"--profile": None if profile is None else profile.to_json()}
    return launch.document(["triangulation"], options, files=files, output="--result")


def _lines(path: str) -> int:
    """The lines of a file, and so the most points that it can have. Raises LapwingError."""
    try:
        if not os.path.isfile(path):
            raise LapwingError(f"{path}: no such file; name a file of points")
        with open(path, "rb") as file:
            return 1 + sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))
    except OSError as error:
        raise LapwingError(f"{path}: cannot be read: {error.strerror}") from None


def _require_memory(launch: Launch, what: str, count: int, verify: bool) -> None:
    """Refuse what this machine cannot hold, before the kernel kills a process for its memory."""
    if launch.elsewhere:
        return
    needed = count * _BYTES * (2 if verify else 1)
    memory = physical_memory()
    if needed > 0.9 * memory:
        without = " without --verify" if verify else ""
        raise LapwingError(
            f"{what}: takes {needed / 1e9:.1f} GB of memory, and this machine has "
            f"{memory / 1e9:.1f} GB; take fewer points{', or run' + without if without else ''}"
        )

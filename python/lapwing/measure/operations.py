"""Timing operations on a target: sends and collectives."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..launch import Launch


def time_operations(
    launch: Launch,
    sizes: Mapping[str, Sequence[int]],
    *,
    stride: int | None = None,
    accuracy: float | None = None,
    seconds: float | None = None,
    wanted: Mapping[str, Mapping[str, float]] | None = None,
    wait: float | None = None,
) -> dict[str, Any]:
    """Time operations on all ranks, which start together by the clock.

    sizes: for each operation, "send" or a collective, the sizes to time, bytes.  stride: bytes from
    one double to the next, of a send or a bcast; strided data is sent once as a derived type and
    once packed by hand.  accuracy: relative error to reach.  seconds: time to try for it, each
    size.  wanted: the environment of the profile to compare with, by indicator; a time taken in
    another environment counts only if that one does not come back.  wait: seconds to wait for
    it. Returns the native program's document.
    """
    command = ["validate"]
    for name, several in sizes.items():
        command += ["--time", f"{name}:{','.join(map(str, several))}"]
    for name, indicator in (wanted or {}).items():
        value, tolerance = indicator["value"], indicator["tolerance"]
        command += ["--environment", f"{name}={value!r}:{tolerance!r}"]
    options = {
        "--stride": stride,
        "--accuracy": accuracy,
        "--seconds": seconds,
        "--wait": wait,
    }
    return launch.document(command, options)

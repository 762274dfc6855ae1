"""Measuring overlap: the share of communication that computation hides on a target."""

from collections.abc import Sequence
from typing import Any

from ..launch import Launch


def measure_overlap(
    launch: Launch,
    *,
    transports: Sequence[str] = (),
    sizes: Sequence[int] = (),
    seconds: float | None = None,
) -> dict[str, Any]:
    """Measure which share of the communication computation hides.

    transports: names of transports, and sizes: bytes of messages; empty, all there are.  seconds:
    time to spend, about. Returns the native program's document.
    """
    options = {"--transports": list(transports), "--sizes": list(sizes), "--seconds": seconds}
    return launch.document(["doctor"], options)

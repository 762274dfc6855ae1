"""Measuring overlap: the share of communication that computation hides on a target."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..errors import LapwingError
from ..launch import Launch
from ..launch.native import SHMEM
from .shmem import SHMEM_TIMEOUT, has_shmem, with_heap

_SHMEM = "shmem"
_SHMEM_SHARE = 0.15  # of the time, where OpenSHMEM is measured beside the others
_SECONDS = 20.0  # of a measurement, if nothing else is asked for
_LARGEST = 4 << 20  # bytes of a message, likewise
_HEAP_MESSAGES = 8  # of the largest size, for which the symmetric heap has room


def measure_overlap(
    launch: Launch,
    *,
    transports: Sequence[str] = (),
    sizes: Sequence[int] = (),
    seconds: float | None = None,
) -> dict[str, Any]:
    """Measure which share of the communication computation hides.

    transports: names of transports, and sizes: bytes of messages; empty, all there are.  seconds:
    time to spend, about. Returns the native program's document, with what OpenSHMEM's program
    measures where it was built.
    """
    options = {"--sizes": list(sizes), "--seconds": seconds}
    others = [name for name in transports if name != _SHMEM]
    with_shmem = (not transports or _SHMEM in transports) and has_shmem(launch)
    if transports and not others and with_shmem:
        return _over_shmem(launch, options)
    if not with_shmem:
        return launch.document(["doctor"], {**options, "--transports": list(transports)})
    share = 1 - _SHMEM_SHARE
    document = launch.part(0, share).document(["doctor"], {**options, "--transports": others})
    options["--seconds"] = _SHMEM_SHARE * (seconds if seconds is not None else _SECONDS)
    try:
        _add(document, _over_shmem(launch.part(share, 1), options))
    except LapwingError as error:
        document["warnings"].append(f"OpenSHMEM was not measured: {error}")
    return document


def _over_shmem(launch: Launch, options: Mapping[str, Any]) -> dict[str, Any]:
    heap = _HEAP_MESSAGES * max([*options["--sizes"], _LARGEST])
    usual = max(SHMEM_TIMEOUT, 3 * (options["--seconds"] or 0))
    launch = replace(with_heap(launch, heap), timeout=min(launch.timeout or usual, usual))
    return launch.document(["doctor"], options, program=SHMEM)


def _add(document: dict[str, Any], found: Mapping[str, Any]) -> None:
    """Adds the findings of OpenSHMEM's program to those of the other."""
    document["measurements"] += found["measurements"]
    document["warnings"] += [f"OpenSHMEM: {warning}" for warning in found["warnings"]]
    for count in ("samples", "dropped"):
        document[count] += found[count]

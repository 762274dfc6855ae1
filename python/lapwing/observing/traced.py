"""Native programs run with their events recorded: a trace of what every rank did when."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from ..errors import LapwingError
from ..launch import Launch
from .preload import preload, simulated_preload
from .record import read
from .timeline import trace


class Traced:
    """A launch whose runs are recorded, and the trace of the last of them."""

    def __init__(self, launch: Launch, tables: Path) -> None:
        """tables: an empty directory that the ranks of the launch see."""
        known = launch.interface
        settings = {
            **(launch.settings or {}),
            "LD_PRELOAD": simulated_preload(True) if known == "smpi" else preload(known),
            "LAPWING_OBSERVE": str(tables),
            "LAPWING_OBSERVE_EVENTS": "1",
        }
        self.launch = replace(launch, settings=settings)
        self._tables = tables

    def text(self) -> str:
        """The trace, as a document. Raises LapwingError if nothing was recorded."""
        found = read(self._tables)
        if found is None or found[1] is None or not found[1].calls:
            raise LapwingError("--trace: the run made no calls of MPI that could be recorded")
        return trace(found[1], found[0]["calls"])


@contextmanager
def recorded(launch: Launch, wanted: bool) -> Iterator[tuple[Launch, Traced | None]]:
    """The launch to use, and beside it its recorder if a trace is wanted."""
    if not wanted:
        yield launch, None
        return
    with launch.directory() as directory:
        traced = Traced(launch, directory)
        yield traced.launch, traced

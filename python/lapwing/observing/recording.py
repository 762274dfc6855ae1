"""Running a program with every call of every rank recorded, and the file of it."""

import os
import shutil
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO

from ..launch import Target
from ..launch.find_mpi import first_meant
from ..launch.program import find_program, mpi_of
from ..launch.scratch import scratch
from ..prediction.recordings import write_recording
from .preload import run_preloaded, unseen
from .record import RecordedCalls, read_recorded

# Bytes of a rank's records: no limit.
_ANY = 1 << 62

_SITE = ["routine", "language", "function", "file", "line", "module", "offset"]


@dataclass(frozen=True)
class Recorded:
    """A run whose ranks left their records in a directory.

    description: what the file says of the run.
    """

    description: dict[str, Any]
    _directory: Path
    _bytes: list[int]

    @property
    def whole(self) -> bool:
        """Whether all ranks came to their end, and recorded all that they did."""
        return self.description["finished"] and not self.description["lost"] and all(self._bytes)

    def write(self, file: BinaryIO) -> None:
        """Write the recording, piece by piece, once: each rank's records are removed meanwhile."""
        parts = ((_file(self._directory, rank), size) for rank, size in enumerate(self._bytes))
        write_recording(file, self.description, parts)


@contextmanager
def recorded(
    command: Sequence[str],
    beside: Path,
    *,
    target: Target | None = None,
    mpi: str | None = None,
    launch_options: Sequence[str] = (),
    quiet: bool = False,
) -> Iterator[Recorded]:
    """Run `command` to its end; its records are there until the end of the block.

    beside: a directory for temporary files, as large as the records, that all ranks see.  The
    other parameters are those of `run_preloaded`.  Raises LapwingError if nothing was recorded,
    with the exit status of a program that failed.
    """
    with scratch(str(beside)) as made:
        directory = made.absolute()
        begun = datetime.now(UTC)
        status = run_preloaded(
            command,
            directory,
            target=target,
            mpi=mpi,
            launch_options=launch_options,
            quiet=quiet,
            record=_ANY,
            sums=False,
        )
        found = recorded_in(directory, command, status, begun, target=target, mpi=mpi)
        if found is None:
            raise unseen(command, target, status)
        yield found


def recorded_in(
    directory: Path,
    command: Sequence[str],
    status: int,
    begun: datetime,
    *,
    target: Target | None = None,
    mpi: str | None = None,
) -> Recorded | None:
    """What the ranks of a run left in a directory; None if no rank left anything.

    status, begun: the exit status of the run, and when it began.  The other parameters are those of
    `run_preloaded`.
    """
    module = command[0] if target and target.kind == "sim" else None
    found = read_recorded(directory, module)
    if found is None:
        return None
    sizes = [_size(directory, rank, found) for rank in range(found.run["ranks"])]
    description = {
        "lapwing": "recording",
        "version": version("lapwing"),
        "when": begun.isoformat(timespec="seconds"),
        "host": socket.gethostname(),
        "command": list(command),
        "exit_status": status,
        "target": target.text if target else None,
        "mpi": _mpi(command, target, mpi),
        "ranks": found.run["ranks"],
        "finished": found.run["complete"],
        "lost": found.run["lost"],
        "time": found.run["time"],
        "calls": found.count,
        "bytes": sum(sizes),
        "sites": [{name: site[name] for name in _SITE} for site in found.calls],
        "sites_of_ranks": [found.sites.get(rank, []) for rank in range(len(sizes))],
    }
    return Recorded(description, directory, sizes)


def _file(directory: Path, rank: int) -> Path:
    return directory / f"record.{rank}"


def _size(directory: Path, rank: int, found: RecordedCalls) -> int:
    """Bytes of the records of a rank that are here."""
    try:
        there = os.stat(_file(directory, rank)).st_size
    except FileNotFoundError:
        return 0
    return min(there, found.bytes.get(rank, 0))


def _mpi(command: Sequence[str], target: Target | None, mpi: str | None) -> str | None:
    """The MPI that ran, as far as it is known."""
    if target is not None and target.kind == "sim":
        return "smpi"
    if mpi is not None:
        return first_meant(mpi).family
    program = shutil.which(command[0]) if target else find_program(list(command))
    linked = mpi_of(program) if program else None
    if linked == "abi":
        return first_meant(None, linked).family
    return linked if linked in ("openmpi", "mpich", "smpi") else None

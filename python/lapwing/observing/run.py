"""Running a program, recording its exchanges, and ranking them by what overlap would save."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .._core import Profile
from ..errors import LapwingError
from ..launch import Target, parse
from ..launch.scratch import scratch
from ..prediction.hiding import hiding_by_size
from ..prediction.recordings import read_recording
from ..results.labelled import Document
from .events import Events
from .preload import ranks_elsewhere, run_preloaded, unseen
from .record import read
from .recording import Recorded, recorded_in
from .savings import ran_there, rank
from .timeline import timeline

# Longer programs are not played again, up to a hundred times: bytes of the records of a rank, and
# calls of all ranks.
_MOST_RECORDED = 1 << 24
_MOST_CALLS = 500_000

# What records of exchanges that were written before do not have.
_LATER: dict[str, Any] = {
    "deviation": {"seconds": 0.0},
    "element": "unknown",
    "root": None,
    "messages_of_ranks": [],
}


class Observation(Document):
    """The result of `observe`. events: when each rank did what, if they were asked for."""

    events: Events | None = None


def observe(
    command: Sequence[str],
    *,
    profile: Profile | None = None,
    on: str | None = None,
    mpi: str | None = None,
    quiet: bool = False,
    events: bool = False,
    machine: str | None = None,
) -> Observation:
    """Run a program unchanged, and rank its exchanges by what overlap would save.

    command: the words of its command line, with its launcher: ["mpirun", "-n", "4", "./program"].
    profile: of the machine, for which savings are predicted; None, they are upper bounds.
    on: the target to start the program on, which then has no launcher of its own: "mpi:4".
    mpi: the MPI by its family, "openmpi", "mpich" or "intel", or a path; None, the first found.
    quiet: the program prints to standard error.
    events: keep what each rank did when, too.
    machine: name of the profile, which the result repeats.

    Returns the result of `lapwing observe`. Raises LapwingError if nothing was recorded, with the
    exit status of a program that failed.
    """
    target = parse(on) if on else None
    seen, recorded = _observed(command, target, mpi, quiet, events, profile)
    found = ranked(seen, profile, machine)
    found.events = recorded
    return found


def _observed(
    command: Sequence[str],
    target: Target | None,
    mpi: str | None,
    quiet: bool,
    events: bool,
    profile: Profile | None,
) -> tuple[dict[str, Any], Events | None]:
    """The record of a program's exchanges, not ranked, and the events if they are asked for."""
    elsewhere = target is None and ranks_elsewhere(command)
    with scratch("." if elsewhere else None) as directory:
        tables = directory.absolute()
        begun = datetime.now(UTC)
        status = run_preloaded(
            command,
            tables,
            target=target,
            mpi=mpi,
            quiet=quiet,
            events=events,
            record=_MOST_RECORDED if profile else 0,
        )
        played = None
        if profile is not None:
            calls = recorded_in(tables, command, status, begun, target=target, mpi=mpi)
            played = _played(calls, profile, tables / "run.lwt")
        found = read(tables, module=command[0] if target and target.kind == "sim" else None)
    if found is None:
        raise unseen(command, target, status)
    record, recorded = found
    document = {
        "command": list(command),
        "exit_status": status,
        "target": target.text if target else None,
        "cluster": target.cluster_digest if target else None,
        **record,
        "played": played,
    }
    if recorded is not None:
        document["timeline"] = timeline(recorded, record["calls"])
    return document, recorded


def _played(calls: Recorded | None, profile: Profile, path: Path) -> list[dict[str, Any]] | None:
    """What the program saves if exchanges of a call site are overlapped: see `hiding_by_size`.

    None if its calls were not all recorded, or cannot be played again.  path: a file to make.
    """
    if calls is None or not calls.whole or calls.description["calls"] > _MOST_CALLS:
        return None
    with path.open("wb") as file:
        calls.write(file)
    try:
        return hiding_by_size(read_recording(path), profile)
    except LapwingError:
        return None


def load(path: str) -> dict[str, Any]:
    """Read from a file what `observe` returned."""
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise LapwingError(f"{path}: cannot read: {error.strerror}") from None
    except ValueError as error:
        raise LapwingError(f"{path}: not what `lapwing observe -o` writes: {error}") from None
    needed = ["command", "exit_status", "target", "cluster", "ranks", "complete", "lost"]
    needed += ["time", "computation"]
    if not isinstance(document, dict) or any(
        name not in document for name in (*needed, "calls", "exchanges")
    ):
        raise LapwingError(f"{path}: not what `lapwing observe -o` writes")
    document["played"] = None  # on another machine, maybe
    for exchange in document["exchanges"]:
        for name, value in _LATER.items():
            exchange.setdefault(name, value)
        less = min(exchange["before"]["seconds"], exchange["after"]["seconds"])
        exchange.setdefault("beside", {"seconds": less})
        for of_rank in exchange["messages_of_ranks"]:
            for each in of_rank["messages"]:
                each.setdefault("phase", 0)
    for call in document["calls"]:
        call.setdefault("language", "C")
    return document


def ranked(observed: dict[str, Any], profile: Profile | None, machine: str | None) -> Observation:
    """The result of a record with its exchanges ranked. machine: the name of the profile."""
    return Observation(
        {
            "lapwing": "observe",
            **observed,
            "machine": machine,
            "same_machine": ran_there(observed, profile),
            "exchanges": rank(observed, profile),
        }
    )

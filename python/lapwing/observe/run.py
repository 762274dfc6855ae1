"""Running a program, recording its exchanges, and ranking them by what overlap would save."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .._core import Profile
from ..errors import LapwingError
from ..launch import Target
from ..launch.program import find_program, mpi_of
from ..launch.scratch import scratch
from .events import Events
from .preload import ranks_elsewhere, run_preloaded
from .record import read
from .savings import ran_there, rank
from .timeline import timeline

_ASIDE = "statically linked MPI: only a program that loads its MPI as a library can be observed"


# What records of exchanges that were written before do not have.
_LATER: dict[str, Any] = {
    "deviation": {"seconds": 0.0},
    "element": "unknown",
    "root": None,
    "messages_of_ranks": [],
}


def observe(
    command: Sequence[str],
    *,
    target: Target | None = None,
    mpi: str | None = None,
    launch_options: Sequence[str] = (),
    quiet: bool = False,
    events: bool = False,
) -> tuple[dict[str, Any], Events | None]:
    """Run `command` and return the record of its exchanges, and the events if they are asked for.

    The parameters are those of `run_preloaded`. Raises LapwingError if nothing was recorded, with
    the exit status of a program that failed.
    """
    elsewhere = target is None and ranks_elsewhere(command)
    with scratch("." if elsewhere else None) as directory:
        tables = directory.absolute()
        status = run_preloaded(
            command,
            tables,
            target=target,
            mpi=mpi,
            launch_options=launch_options,
            quiet=quiet,
            events=events,
        )
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
    }
    if recorded is not None:
        document["timeline"] = timeline(recorded, record["calls"])
    return document, recorded


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


def ranked(
    observed: dict[str, Any], profile: Profile | None, machine: str | None
) -> dict[str, Any]:
    """The document of a record with its exchanges ranked. machine: the name of the profile."""
    return {
        "lapwing": "observe",
        **observed,
        "machine": machine,
        "same_machine": ran_there(observed, profile),
        "exchanges": rank(observed, profile),
    }


def unseen(command: Sequence[str], target: Target | None, status: int) -> LapwingError:
    """The error that says why no rank recorded anything."""
    program = command[0] if target else find_program(list(command))
    linked = mpi_of(program) if program else None
    if linked == "static":
        error = LapwingError(f"{program}: {_ASIDE}")
    elif status != 0:
        error = LapwingError(
            f"{command[0]}: ended with status {status}, before any rank had initialized MPI"
        )
    else:
        what = program or command[0]
        error = LapwingError(f"{what}: ran, but no rank initialized an MPI that can be observed")
    error.exit_status = status or 1
    return error

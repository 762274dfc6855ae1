"""From the logs of other tools to measurements of collectives."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..errors import LapwingError
from ..measurements.cell import Cell, Measurements, Source
from .conditions import Conditions
from .formats import read
from .log import Log, read_log
from .names import NamePattern
from .reading import Reading


@dataclass(frozen=True)
class Imported:
    """What logs hold. measurements: of collectives; None if there are none.  notes: what was left
    out, and what the logs do not tell."""

    measurements: Measurements | None
    notes: list[str]


def import_logs(
    logs: Sequence[str | os.PathLike[str]],
    *,
    nodes: int | None = None,
    ranks_per_node: int | None = None,
    algorithm: str | None = None,
    system: str | None = None,
    mpi: str | None = None,
    value: str | Mapping[str, str] | None = None,
    only: Mapping[str, Iterable[str]] | None = None,
    names: str | None = None,
) -> Imported:
    """Read what other tools measured: whichever wrote a log is found out.

    logs: files.  nodes, ranks_per_node, algorithm, system, mpi: of all logs that do not say it
    themselves.  value: what the column `value` of tables holds, as OSU prints it: "latency", "bw",
    "bibw" or a collective, with a unit after a colon if it is not us or MB/s; for one table by its
    path or name.  only: the rows of tables that count, by column: {"system": ["lumi"]}.
    names: a pattern of the logs' names, which say what is between braces: "osu_*_n{ranks}_*".

    Raises LapwingError; its one line names the log, the line in it, and what is wrong.
    """
    paths = [os.fspath(path) for path in logs]
    if not paths:
        raise LapwingError("import: name a log or more")
    said = Conditions(
        nodes=nodes,
        ranks_per_node=ranks_per_node,
        algorithm=algorithm,
        system=system,
        mpi=mpi,
        only={column.lower(): set(accepted) for column, accepted in (only or {}).items()},
    )
    pattern = NamePattern(names) if names is not None else None
    if pattern is not None:
        pattern.require_any(paths)
    different, notes = _different(paths)
    readings = [(log, read(log, _conditions(log.path, said, value, pattern))) for log in different]
    notes += [note for _, reading in readings for note in reading.notes]
    return Imported(_measurements(readings, notes), notes)


def _different(paths: Sequence[str]) -> tuple[list[Log], list[str]]:
    """The logs without those that repeat another one, and a note of each of these."""
    known: dict[str, Log] = {}
    notes = []
    for path in paths:
        log = read_log(path)
        first = known.setdefault(log.digest, log)
        if first is not log:
            notes.append(f"{path}: the same as {first.path}, counted once")
    return list(known.values()), notes


def _conditions(
    path: str,
    said: Conditions,
    value: str | Mapping[str, str] | None,
    pattern: NamePattern | None,
) -> Conditions:
    """What is said of one log: by its name, else of all logs."""
    if isinstance(value, Mapping):
        value = value.get(path, value.get(os.path.basename(path)))
    fields = pattern.fields(path) if pattern is not None else {}
    known: dict[str, str | int] = {"value": value} if value is not None else {}
    return replace(said, **{**known, **fields})  # type: ignore[arg-type]


def _measurements(
    readings: Sequence[tuple[Log, Reading]], notes: Sequence[str]
) -> Measurements | None:
    having = [(log, reading) for log, reading in readings if reading.cells]
    if not having:
        return None
    sources = [Source(log.path, reading.tool, reading.version) for log, reading in having]
    cells: list[Cell] = [
        replace(cell, source=place)
        for place, (_, reading) in enumerate(having)
        for cell in reading.cells
    ]
    return Measurements(cells, sources, list(notes))

"""From the logs of other tools to a profile, and to measurements of collectives."""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from .._core import Profile
from ..errors import LapwingError
from ..measurements.cell import Cell, Measurements, Source
from .conditions import Conditions
from .formats import read
from .log import Log, read_log
from .names import NamePattern
from .profile import PointLogs, profile_document
from .reading import Reading


@dataclass(frozen=True)
class Imported:
    """What logs hold.

    profile: of messages between two ranks; None if the logs have none.
    measurements: of collectives; None if the logs have none.
    notes: what was left out, and what the logs do not tell.
    """

    profile: Profile | None
    measurements: Measurements | None
    notes: list[str]


@dataclass(frozen=True)
class _Read:
    """A log that was read. conditions: what the user says of it."""

    log: Log
    conditions: Conditions
    reading: Reading
    within: bool  # whether its ranks were on one node


def import_logs(
    logs: Sequence[str | os.PathLike[str]] = (),
    *,
    within_node: Sequence[str | os.PathLike[str]] = (),
    nodes: int | None = None,
    ranks_per_node: int | None = None,
    ranks: int | None = None,
    algorithm: str | None = None,
    system: str | None = None,
    mpi: str | None = None,
    value: str | Mapping[str, str] | None = None,
    only: Mapping[str, Iterable[str]] | None = None,
    names: str | None = None,
    memory_bandwidth: float | None = None,
) -> Imported:
    """Read what other tools measured. It recognises which tool wrote a log.

    logs: files.
    within_node: files, too; their ranks were on one node.
    nodes, ranks_per_node, ranks, algorithm, system, mpi: of all logs that do not say it themselves.
    value: the meaning of the column `value` of tables, as OSU prints it: "latency", "bw", "bibw"
        or a collective. A unit follows after a colon if it is not us or MB/s. A mapping says it of
        one table by its path or name, and of others by "*".
    only: the rows of tables that count, by column: {"system": ["lumi"]}.
    names: a pattern of the logs' names, with the told values in braces: "osu_*_n{ranks}_*".
    memory_bandwidth: of a node, as STREAM prints it: bytes read or written in a second. The ranks
        of a node share it.

    Several logs of the same are combined: messages between two ranks by their median at each size;
    collectives stay apart, each log as a run of its own.

    Raises LapwingError; its one line names the log, the line in it, and what is wrong.
    """
    inside = {os.fspath(path) for path in within_node}
    paths = [os.fspath(path) for path in (*logs, *within_node)]
    if not paths:
        raise LapwingError("import: name a log or more")
    said = Conditions(
        nodes=nodes,
        ranks_per_node=ranks_per_node,
        ranks=ranks,
        algorithm=algorithm,
        system=system,
        mpi=mpi,
        only={column.lower(): set(accepted) for column, accepted in (only or {}).items()},
    )
    pattern = NamePattern(names) if names is not None else None
    if pattern is not None:
        pattern.require_any(paths)
    different, notes = _different(paths)
    found = []
    for log in different:
        conditions = _conditions(log.path, said, value, pattern)
        within = log.path in inside or conditions.nodes == 1
        if within:
            conditions = replace(conditions, nodes=1)
        reading = read(log, conditions)
        found.append(_Read(log, conditions, reading, within or reading.within is True))
    notes += [note for each in found for note in each.reading.notes]
    profile = _profile(found, memory_bandwidth)
    if profile is None and memory_bandwidth is not None:
        raise LapwingError(
            "the memory bandwidth belongs to a profile: the logs hold no messages between two ranks"
        )
    return Imported(profile, _measurements(found, notes), notes)


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
        value = value.get(path, value.get(os.path.basename(path), value.get("*")))
    fields = pattern.fields(path) if pattern is not None else {}
    known: dict[str, str | int] = {"value": value} if value is not None else {}
    return replace(said, **{**known, **fields})  # type: ignore[arg-type]


def _profile(found: Sequence[_Read], memory_bandwidth: float | None) -> Profile | None:
    """The profile of all logs with messages between two ranks; None if there are none."""
    having = [each for each in found if each.reading.points]
    apart = PointLogs([(each.log.path, each.reading) for each in having if not each.within])
    within = PointLogs([(each.log.path, each.reading) for each in having if each.within])
    between = [
        each.reading.within is False or each.conditions.nodes is not None
        for each in having
        if not each.within
    ]
    place = "between two nodes" if all(between) else None
    mpi = [each.conditions.mpi for each in having if each.conditions.mpi]
    document = profile_document(
        apart, within, place=place, mpi=mpi, memory_bandwidth=memory_bandwidth
    )
    return None if document is None else Profile.from_json(json.dumps(document))


def _measurements(found: Sequence[_Read], notes: Sequence[str]) -> Measurements | None:
    having = [(each.log, each.reading) for each in found if each.reading.cells]
    if not having:
        return None
    sources = [Source(log.path, reading.tool, reading.version) for log, reading in having]
    cells: list[Cell] = [
        replace(cell, source=place)
        for place, (_, reading) in enumerate(having)
        for cell in reading.cells
    ]
    return Measurements(cells, sources, list(notes))

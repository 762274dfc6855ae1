"""What measurements tell about the choices of a library."""

import re
from math import log, sqrt

from .. import _core
from .._core import Profile
from ..measurements.cell import Measurements, Setup, Typical
from ..prediction.algorithm_names import algorithm_named, owner
from .cases import OWN_CHOICE, Case, Observation, Place
from .references import known_choice

# Of a normal distribution, in deviations: of the median of n samples times the root of n, and the
# range between the quartiles.
_MEDIAN = 1.253
_QUARTILES = 1.349
# Libraries whose table Lapwing has; those that vendors make of them choose otherwise.
_TABLES = {
    "openmpi": re.compile(r"\s*(ompi|open[ _-]?mpi)\b", re.I),
    "mpich": re.compile(r"\s*mpich\b", re.I),
}


def observations(
    profile: Profile, measurements: Measurements, family: str | None = None
) -> tuple[list[Observation], list[str]]:
    """What was measured, and notes on what does not count, one line each.

    family: "openmpi", "mpich" or "intel", whose choice it is: its algorithms have Lapwing's names
    as labels, and what another library chose by itself does not count. None: labels are those of
    the measurements.
    """
    table = table_for(measurements, family)
    known = {name: set(_core.predicted_algorithms(name)) for name in _core.predicted_operations()}
    made = []
    foreign: dict[str, int] = {}
    unknown = 0
    for typical in measurements.typical():
        setup = typical.setup
        whose = owner(setup.algorithm, setup.mpi or "")
        if setup.operation not in known or setup.ranks is None or setup.ranks < 2:
            unknown += 1
        elif setup.is_default and not _counts(setup, family):
            foreign[setup.mpi or whose] = foreign.get(setup.mpi or whose, 0) + 1
        else:
            made.append(
                _observation(_case(profile, setup, family, table, known[setup.operation]), typical)
            )
    notes = [f"{count} times of what {mpi} chose by itself" for mpi, count in foreign.items()]
    if unknown:
        notes.append(f"{unknown} times of an unknown operation or number of ranks")
    return made, notes


def table_for(measurements: Measurements, family: str | None = None) -> str | None:
    """Whose table has the choice where no algorithm was forced: "openmpi" or "mpich".

    family: as for `observations`. None: there is no such table, or several libraries chose.
    """
    called = {cell.mpi for cell in measurements.cells if cell.mpi and _counts(cell.setup, family)}
    tables = {next((name for name in _TABLES if _TABLES[name].match(mpi)), None) for mpi in called}
    if not tables:
        return family if family in _TABLES else None
    return tables.pop() if len(tables) == 1 else None


def _counts(setup: Setup, family: str | None) -> bool:
    """Whether a setup is of the own choice of the library."""
    return setup.is_default and (
        family is None or owner(setup.algorithm, setup.mpi or "") in ("", family)
    )


def _case(
    profile: Profile, setup: Setup, family: str | None, table: str | None, known: set[str]
) -> Case:
    assert setup.ranks is not None
    place = Place(setup.operation, setup.ranks, setup.ranks_per_node or 1, setup.size)
    if setup.is_default:
        return Case(place, OWN_CHOICE, known_choice(profile, place, table))
    name = algorithm_named(setup.operation, setup.algorithm, setup.mpi or "")
    name = name if name in known else None
    whose = owner(setup.algorithm, setup.mpi or "")
    if family is None:
        return Case(place, setup.algorithm, name)
    if name is not None and whose in ("", family):
        return Case(place, name, name)
    return Case(place, f"{setup.algorithm} of {whose or setup.mpi}", name)


def _observation(case: Case, typical: Typical) -> Observation:
    errors = []
    for cell in typical.cells:
        if cell.quartiles is not None and cell.samples is not None:
            low, high = cell.quartiles
            errors.append(_MEDIAN * log(max(high / low, 1)) / _QUARTILES / sqrt(cell.samples))
    return Observation(case, typical.seconds, max(errors, default=0.0), len(typical.cells))

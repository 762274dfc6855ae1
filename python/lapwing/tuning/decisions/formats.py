"""Which file an MPI library reads, written from a table of decisions."""

from collections.abc import Collection, Iterable

from ...errors import LapwingError
from ...launch.algorithms import algorithms
from . import intel, mpich, openmpi_algorithms, openmpi_json, openmpi_rules
from .library import Library, installed
from .table import Algorithm, Decision

OPENMPI_FORMATS = (1, 2, 3)
# Algorithms of later releases than the settings in `launch.algorithms` are of.
_LATER: dict[str, Collection[tuple[str, str]]] = {
    "openmpi": openmpi_algorithms.LATER.keys(),
    "mpich": mpich.LATER.keys(),
    "intel": (),
}
_MPICH_FILE = "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE"


def chosen_format(library: Library, asked: int | None = None) -> int | None:
    """The version of Open MPI's rules to write for `library`; None for other libraries.

    asked: instead of the best that all releases of `library` read. Raises LapwingError if
    `library` does not read that one.
    """
    if library.family != "openmpi":
        if asked is not None:
            raise LapwingError(f"--format {asked}: there are formats for Open MPI alone")
        return None
    if asked is None:
        return max(format for format in OPENMPI_FORMATS if _reads(library, format, some=False))
    if not _reads(library, asked, some=True):
        reads = ", ".join(str(f) for f in OPENMPI_FORMATS if _reads(library, f, some=True))
        raise LapwingError(f"--format {asked}: {library} reads {reads}")
    return asked


def write(
    decisions: Iterable[Decision], library: Library, header: str, format: int | None = None
) -> str:
    """The content of the file that makes `library` follow the decisions.

    header: comment lines at its top, where the format has comments. format: of Open MPI, from
    `chosen_format`. Raises LapwingError for decisions that contradict each other or have no form in
    the file.
    """
    if library.family == "mpich":
        return mpich.selection(decisions, library)
    if library.family == "intel":
        return intel.environment(decisions, library, header)
    version = chosen_format(library, format)
    if version == 3:
        return openmpi_json.rules_document(decisions, library)
    return openmpi_rules.rules_file(decisions, library, header, version or 1)


def sayable(library: Library, operation: str) -> list[str]:
    """Our algorithms of `operation` that the file of `library` can name."""
    known = algorithms(library.family, operation)
    known += [name for other, name in _LATER[library.family] if other == operation]
    return [name for name in known if can_say(library, operation, name)]


def can_say(library: Library, operation: str, algorithm: str) -> bool:
    """Whether the file of `library` can name the algorithm of `operation`."""
    named = Algorithm(algorithm)
    try:
        if library.family == "mpich":
            mpich.told(library, operation, named)
        elif library.family == "intel":
            intel.told(library, operation, named)
        else:
            openmpi_algorithms.told(library, operation, named, 3)
    except LapwingError:
        return False
    return True


def settings(library: Library, path: str, ranks: int) -> dict[str, str]:
    """The environment in which `ranks` ranks of the library follow the file."""
    if library.family == "mpich":
        return {_MPICH_FILE: path}
    if library.family == "intel":
        return intel.settings(path, ranks)
    return {
        "OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
        "OMPI_MCA_coll_tuned_dynamic_rules_filename": path,
    }


def require_here(library: Library, format: int | None) -> None:
    """Raise LapwingError unless the library that is here reads a file for `library`."""
    here = installed(library.family)
    if here is None:
        return  # the launch says what is missing
    if library.family == "mpich":
        same = library.at_least(4, 1) == here.at_least(4, 1)
    elif library.family == "intel":
        same = True  # every release reads the same variables
    else:
        same = format is None or _reads(here, format, some=False)
    if not same:
        raise LapwingError(f"--verify: the file is for {library}, and here is {here}")


def _reads(library: Library, format: int, *, some: bool) -> bool:
    """Whether all matching releases of `library` read that version of the rules, or `some` do."""
    since = library.may_be if some else library.at_least
    if format == 3:
        return since(6)
    if library.may_be(6):
        # It applies rules of versions 1 and 2 to other numbers of ranks than earlier releases.
        return False
    if format == 1:
        return True
    return since(5, 0, 7) if library.may_be(5) else since(4, 1, 8)

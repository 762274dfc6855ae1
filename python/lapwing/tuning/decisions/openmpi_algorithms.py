"""What Open MPI's component `tuned` calls its collectives and algorithms, by release."""

from dataclasses import dataclass

from ...errors import LapwingError
from ...launch.algorithms import force
from .library import Library
from .table import Algorithm, Steps

# COLLTYPE_T of coll_base_functions.h.
_NUMBERS = {
    "allgather": 0,
    "allreduce": 2,
    "alltoall": 3,
    "barrier": 6,
    "bcast": 7,
    "gather": 9,
    "reduce": 11,
    "reduce_scatter": 12,
    "reduce_scatter_block": 13,
    "scatter": 15,
}
# coll_tuned_OP_algorithm of Open MPI 6.0, in the order of its numbers; earlier releases have the
# same numbers.
NAMES = {
    "allgather": (
        "ignore",
        "linear",
        "bruck-k-fanout",
        "recursive_doubling",
        "ring",
        "neighbor",
        "two_proc",
        "sparbit",
        "direct-messaging",
    ),
    "allreduce": (
        "ignore",
        "basic_linear",
        "nonoverlapping",
        "recursive_doubling",
        "ring",
        "segmented_ring",
        "rabenseifner",
        "allgather_reduce",
    ),
    "alltoall": ("ignore", "linear", "pairwise", "modified_bruck", "linear_sync", "two_proc"),
    "barrier": (
        "ignore",
        "linear",
        "double_ring",
        "recursive_doubling",
        "bruck",
        "two_proc",
        "tree",
    ),
    "bcast": (
        "ignore",
        "basic_linear",
        "chain",
        "pipeline",
        "split_binary_tree",
        "binary_tree",
        "binomial",
        "knomial",
        "scatter_allgather",
        "scatter_allgather_ring",
    ),
    "gather": ("ignore", "basic_linear", "binomial", "linear_sync"),
    "reduce": (
        "ignore",
        "linear",
        "chain",
        "pipeline",
        "binary",
        "binomial",
        "in-order_binary",
        "rabenseifner",
        "knomial",
    ),
    "reduce_scatter": ("ignore", "non-overlapping", "recursive_halving", "ring", "butterfly"),
    "reduce_scatter_block": (
        "ignore",
        "basic_linear",
        "recursive_doubling",
        "recursive_halving",
        "butterfly",
    ),
    "scatter": ("ignore", "basic_linear", "binomial", "linear_nb"),
}
# Algorithms that not all releases from 4.0 on have.
_SINCE = {
    ("allgather", 7): (5, 0),
    ("allgather", 8): (6, 0),
    ("allreduce", 7): (6, 0),
    ("reduce", 8): (6, 0),
    ("scatter", 3): (4, 1),
}
# Algorithms of later releases than the settings are of: collective, number, and fan-out.
LATER = {
    ("allgather", "sparbit"): ("allgather", 7, 0),
    ("reduce", "k-nomial"): ("reduce", 8, 4),
}
# The radix of the k-nomial broadcast, which no rule has: a setting, and this is what it is.
_RADIX = 4
# Open MPI 6 passes the fan-out of a rule to this one as its radix.
_BRUCK = ("allgather", 2)
# Collectives in which only the root knows the size (gather: in place), so that ranks with rules by
# size could take different algorithms and wait for ever.
_WHATEVER_SIZE = ("gather", "scatter")
# Collectives for which Open MPI counts the bytes of all ranks, where we count those of one.
_TOTAL = ("allgather", "alltoall", "gather", "reduce_scatter", "scatter")


@dataclass(frozen=True)
class Told:
    """An algorithm as a rule names it.

    segment: bytes, 0 without segments.  requests: at once; None, as Open MPI has them.
    """

    collective: str
    number: int
    fan_out: int
    segment: int
    requests: int | None

    @property
    def name(self) -> str:
        """Open MPI's name of the algorithm."""
        return NAMES[self.collective][self.number]


def told(library: Library, operation: str, algorithm: Algorithm, ranks: int) -> Told:
    """How a rule tells Open MPI to take `algorithm`. Raises LapwingError if none can."""
    made = _named(operation, algorithm, ranks)
    if made is None or not library.at_least(*_SINCE.get((made.collective, made.number), (4, 0))):
        raise LapwingError(f"{library}: no rule can name {operation} by {algorithm.name}")
    fan_out = made.fan_out if algorithm.radix is None else algorithm.radix
    if fan_out == 0 and (made.collective, made.number) == _BRUCK and library.at_least(6):
        fan_out = 2
    return Told(
        made.collective,
        made.number,
        fan_out,
        made.segment if algorithm.segment is None else algorithm.segment,
        made.requests if algorithm.window is None else algorithm.window,
    )


def _named(operation: str, algorithm: Algorithm, ranks: int) -> Told | None:
    """What names the algorithm with the parameters that settings have; None if nothing does."""
    if later := LATER.get((operation, algorithm.name)):
        return Told(*later, segment=0, requests=None)
    how = force("openmpi", operation, algorithm.name, ranks)
    settings = dict(how.settings) if how else {}
    chosen = [key for key in settings if key.endswith("_algorithm")]
    if len(chosen) != 1:
        return None
    key = chosen[0]
    collective, number = _collective(key), int(settings.pop(key))
    fan_out = settings.pop(f"{key}_chain_fanout", settings.pop(f"{key}_tree_fanout", "0"))
    segment = settings.pop(f"{key}_segmentsize", "0")
    requests = settings.pop(f"{key}_max_requests", "")
    if radix := settings.pop(f"{key}_knomial_radix", ""):
        asked = int(radix) if algorithm.radix is None else algorithm.radix
        if asked != _RADIX:
            return None
    if settings:
        return None
    return Told(collective, number, int(fan_out), int(segment), int(requests) if requests else None)


def require_agreement(operation: str, one: Steps, ranks: int) -> None:
    """Raise LapwingError for rules by which the ranks of a collective could disagree."""
    if operation in _WHATEVER_SIZE and len(one) > 1:
        raise LapwingError(
            f"{operation} on {ranks} ranks: Open MPI's rules must be the same for all sizes, "
            "because only the root knows the size"
        )


def collective_of(operation: str) -> str:
    """Open MPI's name of `operation`."""
    return "reduce_scatter_block" if operation == "reduce_scatter" else operation


def number_of(operation: str) -> int:
    """Open MPI's number of `operation`. Raises LapwingError for one that has no rules."""
    name = collective_of(operation)
    if name not in _NUMBERS:
        raise LapwingError(f"{operation}: Open MPI has no rules for it")
    return _NUMBERS[name]


def counted(operation: str, size: int, ranks: int) -> int:
    """The size by which Open MPI chooses on `ranks` ranks, for `size` bytes as we count them."""
    return size * ranks if operation in _TOTAL else size


def _collective(key: str) -> str:
    return key.removeprefix("coll_tuned_").removesuffix("_algorithm")

"""What a choice is about: an operation by one algorithm, on some ranks, with messages of a size."""

from dataclasses import dataclass
from typing import NamedTuple

# The label of the library's own choice.
OWN_CHOICE = "default"


class Place(NamedTuple):
    """Where a library chooses. size: bytes, as predictions count them."""

    operation: str
    ranks: int
    ranks_per_node: int
    size: int


class Case(NamedTuple):
    """One way to do what is to be done at a place.

    label: tells apart what is chosen from; `OWN_CHOICE` is the library's own choice.
    algorithm: Lapwing's name of the schedule, of the own choice the one in the library's table;
    None if that is unknown, or if Lapwing has no such algorithm.
    """

    place: Place
    label: str
    algorithm: str | None


@dataclass(frozen=True)
class Observation:
    """A measured case.

    seconds: the median over runs.  error: of the median of a single run, relative, from its
    quartiles and its number of iterations.  runs: how many.
    """

    case: Case
    seconds: float
    error: float = 0.0
    runs: int = 1

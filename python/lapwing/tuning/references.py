"""Predicted times, the reference of measured ones, and known choices of libraries."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from .._core import Profile
from ..prediction.grid import grid
from .cases import Case, Place

Vector = NDArray[np.float64]

# The table of a reduce_scatter is that of MPI_Reduce_scatter_block; measurements do not say which
# of the two they are of, and libraries choose otherwise for the other.
_UNCERTAIN = ("reduce_scatter",)


class References:
    """Predictions by closed forms, each made once.

    Of an algorithm that Lapwing lacks, the prediction is that of the fastest it has.
    """

    def __init__(self, profile: Profile, names: Mapping[str, Sequence[str]]) -> None:
        """names: of each operation the algorithms among which the fastest is looked for."""
        self._profile = profile
        self._names = names
        self._known: dict[tuple[Place, str], float] = {}

    def seconds(self, cases: Sequence[Case]) -> Vector:
        """The prediction of each case. Raises ValueError if the profile has too little for it."""
        wanted: dict[tuple[str, int, int, str], set[int]] = defaultdict(set)
        for place, name in ((case.place, name) for case in cases for name in self._asked(case)):
            if (place, name) not in self._known:
                where = (place.operation, place.ranks, place.ranks_per_node, name)
                wanted[where].add(place.size)
        for (operation, ranks, ppn, name), sizes in wanted.items():
            ordered = sorted(sizes)
            made = grid(
                self._profile,
                operation,
                ranks=[ranks],
                sizes=ordered,
                algorithm=name,
                model="model",
                ppn=ppn,
            )
            for size, seconds in zip(ordered, made.seconds[0], strict=True):
                self._known[Place(operation, ranks, ppn, size), name] = float(seconds)
        fastest = [
            min(self._known[case.place, name] for name in self._asked(case)) for case in cases
        ]
        return np.maximum(fastest, 1e-12)

    def _asked(self, case: Case) -> Sequence[str]:
        if case.algorithm is not None:
            return [case.algorithm]
        return self._names[case.place.operation]


def known_choice(profile: Profile, place: Place, family: str | None) -> str | None:
    """The algorithm that a library chooses by itself, as far as its table is known.

    family: "openmpi" or "mpich"; None, or another: unknown.
    """
    if family not in ("openmpi", "mpich") or place.operation in _UNCERTAIN:
        return None
    try:
        made = grid(
            profile,
            place.operation,
            ranks=[place.ranks],
            sizes=[place.size],
            algorithm=family,
            model="model",
            ppn=place.ranks_per_node,
        )
    except ValueError:  # the table does not have this operation
        return None
    name: str = made.rows[0][0].algorithm
    return name

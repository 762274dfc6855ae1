"""Predictions of points, and how they depend on the parameters."""

import json
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .._core import Profile
from ..prediction.grid import grid
from .parameters import Parameters, Vector
from .points import Point, by_group


def predicted(profile: Profile, points: Sequence[Point], *, model: str = "model") -> Vector:
    """What each point takes on the machine, seconds. model: as of `lapwing.predict`."""
    result = np.empty(len(points))
    for group, places in by_group(points).items():
        made = grid(
            profile,
            group.operation,
            ranks=[group.ranks],
            sizes=[points[place].size for place in places],
            algorithm=group.algorithm,
            model=model,
            ppn=group.ranks_per_node,
        )
        result[list(places)] = made.seconds[0]
    return result


class Model:
    """Lapwing's predictions of some points, as functions of the parameters."""

    def __init__(self, parameters: Parameters, points: Sequence[Point]) -> None:
        self.parameters = parameters
        self.points = points

    def seconds(self, values: Vector) -> Vector:
        """The predicted time of each point."""
        profile = Profile.from_json(json.dumps(self.parameters.profile(values)))
        return predicted(profile, self.points)

    def slopes(self, values: Vector, seconds: Vector) -> NDArray[np.float64]:
        """How `seconds`, those of `values`, change with each parameter: a row for each point."""
        columns = []
        for place, value in enumerate(values):
            # Times are rounded to picoseconds: steps of a thousandth drown that.
            step = max(1e-3 * value, 1e-3 * self._typical(place, values))
            further = self._changed(values, place, step)
            if further[place] == value:  # at its upper limit
                further = self._changed(values, place, -step)
            columns.append((self.seconds(further) - seconds) / (further[place] - value))
        return np.array(columns).T

    def _changed(self, values: Vector, place: int, step: float) -> Vector:
        further = values.copy()
        further[place] += step
        return self.parameters.physical(further)

    def _typical(self, place: int, values: Vector) -> float:
        """A size of the parameter that changes predictions by something."""
        per_byte = self.parameters.all[place].unit == "s/B"
        return float(values[0]) / self.parameters.sizes[-1] if per_byte else float(values[0])

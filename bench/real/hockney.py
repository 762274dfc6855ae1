"""Hockney's model: a message of m bytes takes alpha + beta m, and a collective its rounds of them.

    T = alpha rounds + beta bytes

with the numbers that textbooks give for each algorithm, and alpha and beta fitted for each
algorithm of each operation.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from lapwing import Profile, load_profile
from lapwing.fitting.model import predicted
from lapwing.fitting.points import Point

from .predictions import Vector, measured

# Relative errors above this count by their size, smaller ones by their square.
_ROBUST = 0.1
_UNIT = 1e-3  # seconds, of what is counted: predictions are rounded to picoseconds
_UNIT_OF_BYTES = 1e-9
_NEXT_TO_NOTHING = 1e-18
_Algorithm = tuple[str, str]


@dataclass(frozen=True)
class Hockney:
    """alpha, beta: seconds, and seconds per byte, of each operation and algorithm.

    common: those of all algorithms together, for one that was not measured.
    """

    costs: dict[_Algorithm, Vector]
    common: Vector

    def knows(self, point: Point) -> bool:
        """Whether the algorithm of a point was measured, and has an alpha and beta of its own."""
        return _algorithm(point) in self.costs

    def seconds(self, points: Sequence[Point]) -> Vector:
        """What the model predicts of each point."""
        if not points:
            return np.empty(0)
        costs = [self.costs.get(_algorithm(point), self.common) for point in points]
        return np.einsum("ij,ij->i", terms(points), np.array(costs))


def fitted(points: Sequence[Point]) -> Hockney:
    """The model nearest to `points` by relative errors, robustly."""
    counted, times = terms(points), measured(points)
    places: dict[_Algorithm, list[int]] = defaultdict(list)
    for place, point in enumerate(points):
        places[_algorithm(point)].append(place)
    costs = {kind: _costs(counted[some], times[some]) for kind, some in places.items()}
    return Hockney(costs, _costs(counted, times))


def terms(points: Sequence[Point]) -> Vector:
    """The rounds of messages that follow one another, and the bytes of all of them.

    Rows of points. They are Lapwing's closed forms for a machine where a message costs its sender
    and its receiver half a unit each, and for one where bytes alone cost: a rank that sends to all
    others one after another so has half as many rounds as there are others.
    """
    rounds = predicted(_machine(_UNIT, _NEXT_TO_NOTHING), points) / _UNIT
    volume = predicted(_machine(0, _UNIT_OF_BYTES), points) / _UNIT_OF_BYTES
    return np.column_stack([rounds, volume])


def _algorithm(point: Point) -> _Algorithm:
    return point.group.operation, point.group.algorithm


def _costs(counted: Vector, times: Vector) -> Vector:
    """alpha and beta, 0 or more."""
    from scipy.optimize import least_squares

    relative = counted / times[:, None]
    scale = np.maximum(np.linalg.norm(relative, axis=0), 1e-30)
    found = least_squares(
        lambda scaled: relative / scale @ scaled - 1,
        x0=[1.0, 1.0],
        bounds=(0, np.inf),
        loss="huber",
        f_scale=_ROBUST,
    )
    return found.x / scale


@cache
def _machine(message: float, byte: float) -> Profile:
    """A machine where a message costs its two ranks half of `message` each, and its wire `byte`."""
    document = json.loads(load_profile("ranger").to_json())  # LogGP alone, without tables
    document["loggp"] = {
        "L": 0.0,
        "o_s": message / 2,
        "o_r": message / 2,
        "g": message / 2,
        "G": byte,
    }
    return Profile.from_json(json.dumps(document))

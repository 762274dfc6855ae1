"""Measured points, and how far predictions are from them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lapwing import Measurements
from lapwing.fitting.points import Group, Point

Vector = NDArray[np.float64]


def measured(points: Sequence[Point]) -> Vector:
    """The measured time of each point, seconds."""
    return np.array([point.seconds for point in points])


def chosen_by(library: str, measurements: Measurements) -> list[Point]:
    """The points of cells whose algorithm a library chose: it stands for their algorithm.

    library: "mpich" or "openmpi", whose choices `lapwing.predict` knows.
    """
    found = []
    for typical in measurements.typical():
        setup = typical.setup
        assert setup.ranks is not None
        group = Group(setup.operation, library, setup.ranks, setup.ranks_per_node or 1)
        found.append(Point(group, setup.size, typical.seconds))
    return found


def errors(seconds: Vector, points: Sequence[Point]) -> Vector:
    """The relative error of each prediction, `|predicted / measured - 1|`."""
    return np.abs(seconds / measured(points) - 1)


def factors(seconds: Vector, points: Sequence[Point]) -> Vector:
    """By which factor each prediction is too long or too short."""
    ratios = seconds / measured(points)
    return np.maximum(ratios, 1 / ratios)


def median_and_nine_of_ten(values: Vector) -> str:
    """Both as two columns of a table."""
    return f"{np.median(values):9.3f}{np.quantile(values, 0.9):9.3f}"

"""The fit of a machine's costs to measured collectives."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .._core import Profile
from ..errors import LapwingError
from ..measurements.cell import Measurements
from .model import Model
from .parameters import Parameters, Vector
from .points import Point, points_of
from .solve import solve

_NINE_OF_TEN = (0.05, 0.95)
_LEAST_POINTS = 8
# From the fit to all points, which is near.
_STEPS_LEAVING_OUT = 3


@dataclass(frozen=True)
class Fitted:
    """What a fit found.

    profile: the machine with the fitted costs.  low, high: multiples of a prediction between which
    nine of ten measured times lie.  names, values, errors: of the parameters; an error
    is the standard deviation over fits that leave one algorithm out, NaN where nothing tells.
    points: that the fit goes by.  residuals: `measured / predicted` of each.  held_out: the same by
    fits without the point's algorithm.  notes: what was left out, and what the points do not tell.
    """

    profile: Profile
    low: float
    high: float
    names: Sequence[str]
    values: Vector
    errors: Vector
    points: Sequence[Point]
    residuals: Vector
    held_out: Vector
    notes: Sequence[str]


def fit(machine: Profile, measurements: Measurements) -> Fitted:
    """The costs of `machine` by which its collectives are predicted nearest to `measurements`.

    Fits by relative errors, robustly, with all costs 0 or more. Intervals are those of collectives
    whose algorithm was left out of the fit. Raises LapwingError if too little was measured.
    """
    points, notes = points_of(measurements)
    if len(points) < _LEAST_POINTS:
        raise LapwingError(
            f"the measurements have {len(points)} times that can be predicted: a fit needs "
            f"{_LEAST_POINTS}" + "".join(f"; {note}" for note in notes)
        )
    parameters = Parameters.for_points(points, machine)
    measured = np.array([point.seconds for point in points])
    model = Model(parameters, points)
    values = solve(model, measured, parameters.start)
    seconds = model.seconds(values)
    slopes = model.slopes(values, seconds)
    tells = np.abs(slopes).max(axis=0) > 0
    held_out, errors = _leaving_out(parameters, points, measured, values)
    low, high = np.quantile(held_out, _NINE_OF_TEN)
    errors = np.where(tells, errors, np.nan)
    notes += [
        f"the measurements do not tell: {name}"
        for name, told in zip(parameters.names, tells, strict=True)
        if not told
    ]
    return Fitted(
        parameters.profile(values, float(low), float(high)),
        float(low),
        float(high),
        parameters.names,
        values,
        errors,
        points,
        measured / seconds,
        held_out,
        notes,
    )


def _leaving_out(
    parameters: Parameters, points: Sequence[Point], measured: Vector, values: Vector
) -> tuple[Vector, Vector]:
    """`measured / predicted` by fits without each algorithm, and how parameters vary with them."""
    kinds = [(point.group.operation, point.group.algorithm) for point in points]
    every = sorted(set(kinds))
    ratios = np.empty(len(points))
    fits = []
    for kind in every:
        out = np.array([each == kind for each in kinds])
        rest = [point for point, left in zip(points, out, strict=True) if not left]
        without = values
        if len(rest) >= _LEAST_POINTS:
            without = solve(Model(parameters, rest), measured[~out], values, _STEPS_LEAVING_OUT)
        left_out = [point for point, left in zip(points, out, strict=True) if left]
        ratios[out] = measured[out] / Model(parameters, left_out).seconds(without)
        fits.append(without)
    spread = np.std(fits, axis=0) * np.sqrt(max(len(every) - 1, 1))  # the jackknife
    return ratios, spread

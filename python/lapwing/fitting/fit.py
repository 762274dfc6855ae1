"""The fit of a machine's costs to measured collectives."""

import json
from collections.abc import Sequence
from itertools import compress
from typing import Any

import numpy as np

from .._core import Profile
from ..errors import LapwingError, needed
from ..measurements.cell import Measurements
from ..measurements.together import together
from .factors import factors
from .fitted import Fitted
from .model import Model, predicted
from .parameters import Parameters, Vector
from .points import Point, on_fewer_nodes, points_of
from .solve import solve

_NINE_OF_TEN = (0.05, 0.95)
_LEAST_POINTS = 8


def fit(
    machine: Profile,
    measurements: Measurements | Sequence[Measurements],
    *,
    most_nodes: int | None = None,
) -> Fitted:
    """The costs of `machine` by which its collectives are predicted nearest to `measurements`.

    Fits by relative errors, robustly, with all costs 0 or more. Intervals are those of collectives
    that were left out of the fit.

    measurements: of `load_measurements` or `import_logs`; several are fitted together.
    most_nodes: leaves out what was measured on more nodes.

    The result has the fitted `profile`. Raises LapwingError if too little was measured, and without
    scipy.
    """
    needed("scipy.optimize", "fit", "fit")
    if not isinstance(measurements, Measurements):
        measurements = together(measurements)
    if most_nodes is not None:
        measurements = on_fewer_nodes(measurements, most_nodes)
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
    tells = np.abs(model.slopes(values, seconds)).max(axis=0) > 0
    held_out, errors = _leaving_out(parameters, points, measured, values)
    low, high = (float(each) for each in np.quantile(held_out, _NINE_OF_TEN))
    document = _document(model, values, measured / seconds)
    document["collectives"] |= {"low": low, "high": high}
    profile = Profile.from_json(json.dumps(document))
    notes += [
        f"the measurements do not tell: {name}"
        for name, told in zip(parameters.names, tells, strict=True)
        if not told
    ]
    return Fitted(
        profile,
        low,
        high,
        parameters.all,
        values,
        np.where(tells, errors, np.nan),
        points,
        measured / predicted(profile, points),
        held_out,
        notes,
    )


def _document(model: Model, values: Vector, ratios: Vector) -> dict[str, Any]:
    """The profile document of these values, with the factors of the algorithms.

    ratios: `measured / predicted` of the model's points by these values.
    """
    return model.parameters.profile(values) | {"algorithms": factors(model.points, ratios)}


def _leaving_out(
    parameters: Parameters, points: Sequence[Point], measured: Vector, values: Vector
) -> tuple[Vector, Vector]:
    """`measured / predicted` by fits that leave some points out, and how parameters vary.

    Each algorithm is left out once, and so are each operation and the largest number of ranks:
    predictions are of others, too.
    """
    ratios = []
    fits = [values]
    kinds = [(point.group.operation, point.group.algorithm) for point in points]
    left_out = [np.array([each == kind for each in kinds]) for kind in sorted(set(kinds))]
    algorithms = len(left_out)
    operations = np.array([point.group.operation for point in points])
    left_out += [operations == each for each in sorted(set(operations))]
    ranks = np.array([point.group.ranks for point in points])
    left_out.append(ranks == ranks.max())
    for place, out in enumerate(left_out):
        if np.sum(~out) < _LEAST_POINTS:
            continue
        rest = Model(parameters, list(compress(points, ~out)))
        without = solve(rest, measured[~out], parameters.start)
        document = _document(rest, without, measured[~out] / rest.seconds(without))
        profile = Profile.from_json(json.dumps(document))
        ratios.append(measured[out] / predicted(profile, list(compress(points, out))))
        if place < algorithms:
            fits.append(without)
    spread = np.std(fits, axis=0) * np.sqrt(len(fits) - 1)  # the jackknife
    return np.concatenate(ratios or [np.ones(1)]), spread

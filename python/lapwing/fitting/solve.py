"""Finding the parameters whose predictions are nearest to the measured times."""

import numpy as np
from numpy.typing import NDArray

from .model import Model
from .parameters import Vector

# Errors below this share count by their square, larger ones by their size: runs differ by as much.
_ROBUST = 0.1
_MOST_STEPS = 20
_REWEIGHTINGS = 12
_ENOUGH = 1e-4  # relative change of the sum of errors


def solve(model: Model, measured: Vector, start: Vector, steps: int = _MOST_STEPS) -> Vector:
    """The parameters, all 0 or more, with the least error after at most so many `steps`.

    The error of a point is relative, `predicted / measured - 1`, and counts as Huber's loss does,
    so that runs which differ do not matter much. What is not plausible (`Parameters.plausible`)
    counts, too, and settles what the points leave open. Each step solves the problem as if
    predictions were linear in the parameters, which most are, by non-negative least squares.
    """
    values = start
    seconds = model.seconds(values)
    loss = _loss(model, values, seconds / measured - 1)
    for _ in range(steps):
        slopes = model.slopes(values, seconds)
        aim = _aim(model, slopes, seconds - slopes @ values, measured, values)
        better = _towards(model, measured, values, aim, loss)
        if better is None:
            break
        values, seconds, new_loss = better
        done = new_loss > (1 - _ENOUGH) * loss
        loss = new_loss
        if done:
            break
    return values


def _loss(model: Model, values: Vector, errors: Vector) -> float:
    size = np.abs(errors)
    robust = np.where(size < _ROBUST, size**2 / 2, _ROBUST * (size - _ROBUST / 2))
    rows, right = model.parameters.plausible(values)
    uneven = rows @ values - right
    return float(np.sum(robust) + np.sum(uneven**2) / 2)


def _aim(
    model: Model,
    slopes: NDArray[np.float64],
    constant: Vector,
    measured: Vector,
    values: Vector,
) -> Vector:
    """The best parameters if `constant + slopes @ parameters` were the predictions.

    A parameter that changes no prediction keeps its value.
    """
    from scipy.optimize import nnls

    relative = slopes / measured[:, None]
    tells = np.linalg.norm(relative, axis=0) > 0
    wanted = (measured - constant) / measured
    found = values.copy()
    for _ in range(_REWEIGHTINGS):
        errors = np.abs(relative @ found - wanted)
        weights = np.sqrt(1 / np.maximum(errors / _ROBUST, 1))
        more, aims = model.parameters.plausible(found)
        rows = np.vstack([relative * weights[:, None], more])
        right = np.concatenate([wanted * weights, aims])
        right -= rows[:, ~tells] @ found[~tells]
        scale = np.linalg.norm(rows[:, tells], axis=0)
        scaled, _ = nnls(rows[:, tells] / scale, right, maxiter=100 * len(found))
        found[tells] = scaled / scale
    return found


def _towards(
    model: Model, measured: Vector, values: Vector, aim: Vector, loss: float
) -> tuple[Vector, Vector, float] | None:
    """The first of ever shorter steps towards `aim` that lessens the loss; None if none does."""
    share = 1.0
    while share > 1e-3:
        tried = model.parameters.physical(values + share * (aim - values))
        seconds = model.seconds(tried)
        new_loss = _loss(model, tried, seconds / measured - 1)
        if new_loss < loss:
            return tried, seconds, new_loss
        share /= 2
    return None

"""What the MPI library's implementation of each algorithm does otherwise than the model says."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .parameters import Vector
from .points import Point

# Sizes that differ by this many doublings tell half of each other, about.
_DOUBLINGS = 2.0
# So many times of one size are as much evidence as the model itself.
_AS_THE_MODEL = 0.5
# A time that is further from what its neighbours tell than this many usual distances is wild.
_WILD = 3.0
_LEAST_DISTANCE = 0.02  # of logarithms: runs differ by as much


def factors(points: Sequence[Point], ratios: Vector) -> list[dict[str, Any]]:
    """The profile's section `algorithms`. ratios: `measured / predicted` of each point.

    The logarithm of a factor is the mean of those of the ratios of the same algorithm, weighted by
    how near their sizes are (a Gaussian kernel over doublings). One more ratio, whose logarithm is
    0, keeps the model as it is where little was measured. Wild times count little.
    """
    kinds = [(point.group.operation, point.group.algorithm) for point in points]
    logs = np.log(ratios)
    doublings = np.log2([max(point.size, 1) for point in points])
    places = {
        kind: np.array([i for i, each in enumerate(kinds) if each == kind])
        for kind in sorted(set(kinds))
    }
    distances = np.empty(len(points))
    for some in places.values():
        kernel = _kernel(doublings[some], doublings[some])
        np.fill_diagonal(kernel, 0)
        distances[some] = np.abs(logs[some] - _mean(kernel, logs[some]))
    usual = max(float(np.median(distances)), _LEAST_DISTANCE)
    trust = np.minimum(1, _WILD * usual / np.maximum(distances, 1e-12)) ** 2
    found = []
    for (operation, algorithm), some in places.items():
        sizes = sorted({points[i].size for i in some})
        kernel = _kernel(np.log2(np.maximum(sizes, 1)), doublings[some]) * trust[some]
        found.append(
            {
                "operation": operation,
                "algorithm": algorithm,
                "sizes": sizes,
                "factors": [float(factor) for factor in np.exp(_mean(kernel, logs[some]))],
            }
        )
    return found


def _kernel(at: Vector, doublings: Vector) -> NDArray[np.float64]:
    """How much each time counts at each size: a row for each of `at`."""
    return np.exp(-(((at[:, None] - doublings[None, :]) / _DOUBLINGS) ** 2) / 2)


def _mean(weights: NDArray[np.float64], logs: Vector) -> Vector:
    result: Vector = weights @ logs / (weights.sum(axis=1) + _AS_THE_MODEL)
    return result

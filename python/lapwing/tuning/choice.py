"""Which algorithms win beyond the uncertainty, and which of them is chosen."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .estimates import Estimate
from .references import Vector
from .rules import MARGIN

# An algorithm counts as slower than the library's own choice from this share on, and the
# probability of that must be at most 5 %: so many deviations.
SLOWER = 0.05
SURE = 1.645


def gains(estimate: Estimate, default: int, candidates: Sequence[int]) -> tuple[Vector, Vector]:
    """By how much candidates are faster than the default: mean and deviation of the logarithm."""
    others = list(candidates)
    mean = estimate.mean[default] - estimate.mean[others]
    covariance = estimate.covariance
    variance = (
        covariance[default, default] + np.diag(covariance)[others] - 2 * covariance[default, others]
    )
    return mean, np.sqrt(np.maximum(variance, 0))


def safe(gain: Vector, deviation: Vector) -> NDArray[np.bool_]:
    """Whether it is improbable enough that an algorithm with such a gain is slower."""
    result: NDArray[np.bool_] = gain - SURE * deviation > -np.log1p(SLOWER)
    return result


def choose(estimate: Estimate, default: int, candidates: Sequence[int]) -> int:
    """The safe candidate that is expected to gain the most, if that is worth it; or the default."""
    if not candidates:
        return default
    gain, deviation = gains(estimate, default, candidates)
    worth = np.where(safe(gain, deviation), gain, -np.inf)
    best = int(np.argmax(worth))
    return candidates[best] if worth[best] > np.log1p(MARGIN) else default

"""What a fit found, and the document of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._core import Profile
from ..results.labelled import Labelled
from .parameters import Parameter, Vector
from .points import Point


@dataclass(frozen=True, eq=False, repr=False)
class Fitted(Labelled):
    """What a fit found.

    profile: the machine with the fitted costs.  low, high: multiples of a prediction between which
    nine of ten measured times lie.  values, errors: of the parameters; an error is the standard
    deviation over fits that leave one algorithm out, NaN where nothing tells.
    points: that the fit goes by.  residuals: `measured / predicted` of each.  held_out: the same by
    fits without the point's algorithm, its operation, or the largest number of ranks.
    notes: what was left out, and what the points do not tell.
    """

    profile: Profile
    low: float
    high: float
    parameters: Sequence[Parameter]
    values: Vector
    errors: Vector
    points: Sequence[Point]
    residuals: Vector
    held_out: Vector
    notes: Sequence[str]

    @property
    def document(self) -> dict[str, Any]:
        """The document of `lapwing fit`."""
        return {
            "lapwing": "fit",
            "points": len(self.points),
            "parameters": [
                {
                    "name": parameter.name,
                    "unit": parameter.unit,
                    "value": float(value),
                    "error": None if np.isnan(error) else float(error),
                }
                for parameter, value, error in zip(
                    self.parameters, self.values, self.errors, strict=True
                )
            ],
            "fitted": _errors(self.residuals),
            "held_out": _errors(self.held_out),
            "interval": {"low": self.low, "high": self.high},
            "notes": list(self.notes),
        }

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Fitted)
            and self.profile == other.profile
            and self.document == other.document
        )

    __hash__ = None  # type: ignore[assignment]


def _errors(ratios: Vector) -> dict[str, float]:
    """Relative errors of predictions, from `measured / predicted`."""
    errors = np.abs(1 / ratios - 1)
    return {"median": float(np.median(errors)), "nine_of_ten": float(np.quantile(errors, 0.9))}

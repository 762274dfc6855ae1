"""The document of `lapwing fit`."""

from typing import Any

import numpy as np

from .fit import Fitted
from .parameters import Vector


def fit_document(fitted: Fitted) -> dict[str, Any]:
    """What was found, as `fit.schema.json` says."""
    return {
        "lapwing": "fit",
        "points": len(fitted.points),
        "parameters": [
            {
                "name": parameter.name,
                "unit": parameter.unit,
                "value": float(value),
                "error": None if np.isnan(error) else float(error),
            }
            for parameter, value, error in zip(
                fitted.parameters, fitted.values, fitted.errors, strict=True
            )
        ],
        "fitted": _errors(fitted.residuals),
        "held_out": _errors(fitted.held_out),
        "interval": {"low": fitted.low, "high": fitted.high},
        "notes": list(fitted.notes),
    }


def _errors(ratios: Vector) -> dict[str, float]:
    """Relative errors of predictions, from `measured / predicted`."""
    errors = np.abs(1 / ratios - 1)
    return {"median": float(np.median(errors)), "nine_of_ten": float(np.quantile(errors, 0.9))}

"""An ordinary regression: gradient boosted trees, which know nothing of communication."""

from collections.abc import Sequence

import numpy as np

from lapwing.fitting.points import Point

from .predictions import Vector, measured


def available() -> bool:
    """Whether scikit-learn is installed."""
    try:
        import sklearn  # noqa: F401
    except ImportError:
        return False
    return True


def seconds(known: Sequence[Point], asked: Sequence[Point]) -> Vector:
    """The times of `asked` by a regression on those of `known`.

    Of the logarithm of the time, on operation and algorithm and the logarithms of bytes and ranks.
    """
    from sklearn.compose import make_column_transformer
    from sklearn.ensemble import GradientBoostingRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    features = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), [0, 1]),
        remainder="passthrough",
    )
    regression = make_pipeline(features, GradientBoostingRegressor(random_state=0))
    regression.fit(_features(known), np.log(measured(known)))
    return np.exp(regression.predict(_features(asked)))


def _features(points: Sequence[Point]) -> np.ndarray:
    rows = [
        (
            point.group.operation,
            f"{point.group.operation} {point.group.algorithm}",
            np.log2(max(point.size, 1)),
            np.log2(point.group.ranks),
        )
        for point in points
    ]
    return np.array(rows, dtype=object)

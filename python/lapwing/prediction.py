"""Predictions for many numbers of ranks and many sizes at once, as numpy arrays."""

import operator

import numpy
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._core import Predictions, Profile


def predictions(
    profile: Profile,
    operation: str,
    *,
    ranks: ArrayLike,
    sizes: ArrayLike,
    algorithm: str,
    model: str,
    stride: int | None,
    ppn: int,
    questions: int = 0,
) -> Predictions:
    """As `lapwing.predict`, with what else there is to say about each prediction.

    questions: how many predictions will be asked for in all, if more than these.
    """
    return _core.predict(
        profile,
        operation,
        algorithm=algorithm,
        model=model,
        ranks=_whole("ranks", ranks),
        sizes=_whole("sizes", sizes),
        stride=None if stride is None else operator.index(stride),
        ranks_per_node=operator.index(ppn),
        questions=questions,
    )


def _whole(what: str, numbers: ArrayLike) -> NDArray[numpy.uint64]:
    given = numpy.atleast_1d(numpy.asarray(numbers))
    if given.ndim != 1:
        raise ValueError(f"{what} must be a number or a list of numbers")
    if given.size > 0 and (given.dtype.kind not in "iu" or given.min() < 0):
        raise ValueError(f"{what} must be whole numbers from 0 up")
    return given.astype(numpy.uint64)

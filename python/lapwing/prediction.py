"""Predictions for many numbers of ranks and many sizes at once."""

import operator
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _core
from ._core import Predictions, Profile

if TYPE_CHECKING:
    import numpy
    from numpy.typing import ArrayLike, NDArray


class Prediction(NamedTuple):
    """What one operation will cost.

    seconds.  algorithm: by which.  by_engine: whether it was played event by event.
    measured_range: whether every message has a size that the profile has tables for.
    """

    seconds: float
    algorithm: str
    by_engine: bool
    measured_range: bool


def predictions(
    profile: Profile,
    operation: str,
    *,
    ranks: Sequence[int],
    sizes: Sequence[int],
    algorithm: str,
    model: str,
    stride: int | None,
    ppn: int,
    questions: int = 0,
) -> list[list[Prediction]]:
    """As `lapwing.predict`, a row for each number of ranks, with what else there is to say.

    questions: how many predictions will be asked for in all, if more than these.  Needs no numpy,
    which takes longer to load than most predictions take.
    """
    made = _predict(
        profile,
        operation,
        array("Q", ranks),
        array("Q", sizes),
        algorithm=algorithm,
        model=model,
        stride=stride,
        ppn=ppn,
        questions=questions,
    )
    return [[Prediction(*each) for each in row] for row in made.rows]


def predicted_seconds(
    profile: Profile,
    operation: str,
    *,
    ranks: "ArrayLike",
    sizes: "ArrayLike",
    algorithm: str,
    model: str,
    stride: int | None,
    ppn: int,
) -> "NDArray[numpy.float64]":
    """`lapwing.predict`."""
    made = _predict(
        profile,
        operation,
        _whole("ranks", ranks),
        _whole("sizes", sizes),
        algorithm=algorithm,
        model=model,
        stride=stride,
        ppn=ppn,
        questions=0,
    )
    return made.seconds


def _predict(
    profile: Profile,
    operation: str,
    ranks: Any,  # arrays of 64 bits, by the buffer protocol
    sizes: Any,
    *,
    algorithm: str,
    model: str,
    stride: int | None,
    ppn: int,
    questions: int,
) -> Predictions:
    return _core.predict(
        profile,
        operation,
        algorithm=algorithm,
        model=model,
        ranks=ranks,
        sizes=sizes,
        stride=None if stride is None else operator.index(stride),
        ranks_per_node=operator.index(ppn),
        questions=questions,
    )


def _whole(what: str, numbers: "ArrayLike") -> "NDArray[numpy.uint64]":
    import numpy

    given = numpy.atleast_1d(numpy.asarray(numbers))
    if given.ndim != 1:
        raise ValueError(f"{what} must be a number or a list of numbers")
    if given.size > 0 and (given.dtype.kind not in "iu" or given.min() < 0):
        raise ValueError(f"{what} must be whole numbers from 0 up")
    return given.astype(numpy.uint64)

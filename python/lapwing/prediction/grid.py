"""Predictions of an operation for several numbers of ranks and several sizes at once."""

import operator
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .. import _core
from .._core import Predictions, Profile

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def grid(
    profile: Profile,
    operation: str,
    *,
    ranks: "ArrayLike",
    sizes: "ArrayLike",
    algorithm: str,
    model: str = "auto",
    stride: int | None = None,
    packed: bool = False,
    ppn: int = 1,
    questions: int = 0,
) -> Predictions:
    """Predictions of one algorithm, or of one choice; parameters as those of `lapwing.predict`.

    packed: strided data is packed and unpacked by hand.  questions: number of all predictions that
    the caller will ask for, if more than these: the more, the less time "auto" gives the engine for
    each. Lists of int need no numpy, which takes longer to load than most predictions take.
    """
    return _core.predict(
        profile,
        operation,
        algorithm=algorithm,
        model=model,
        ranks=whole_numbers("ranks", ranks),
        sizes=whole_numbers("sizes", sizes),
        stride=None if stride is None else operator.index(stride),
        packed=packed,
        ranks_per_node=operator.index(ppn),
        questions=questions,
    )


def whole_numbers(what: str, numbers: "ArrayLike") -> Any:
    """Numbers, one or several, as an array of 64 bits each. ValueError if they are no such."""
    if isinstance(numbers, Sequence) and all(
        type(each) is int and 0 <= each < 1 << 64 for each in numbers
    ):
        return array("Q", numbers)
    import numpy

    given = numpy.atleast_1d(numpy.asarray(numbers))
    if given.ndim != 1:
        raise ValueError(f"{what} must be a number or a list of numbers")
    if given.size > 0 and (given.dtype.kind not in "iu" or given.min() < 0):
        raise ValueError(f"{what} must be whole numbers from 0 up")
    return given.astype(numpy.uint64)

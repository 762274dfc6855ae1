"""Predicting operations for several numbers of ranks and several sizes at once."""

import operator
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from .. import _core
from .._core import Predictions, Profile
from ..units.arguments import Size, in_bytes

if TYPE_CHECKING:
    import numpy
    from numpy.typing import ArrayLike, NDArray


def predict(
    profile: Profile,
    operation: str,
    *,
    ranks: "ArrayLike",
    sizes: "ArrayLike",
    algorithm: str = "best",
    model: Literal["auto", "engine", "model", "printed"] = "auto",
    stride: Size | None = None,
    ppn: int = 1,
) -> "NDArray[numpy.float64]":
    """Seconds that an operation takes on the machine that `profile` describes.

    operation: "send", from one rank to another, or a collective, such as "bcast".
    ranks, sizes: numbers of ranks and bytes, one or several; the result has a row for each number
        of ranks and a column for each size. The size of a bcast, reduce or allreduce is the whole
        message, of an alltoall what each rank sends to each, of others the block of one rank. They
        may be text, such as "64KB".
    algorithm: one by its name, "best", or the choice of "mvapich2", "mpich" or "openmpi".
    model: "engine", simulated event by event; "model", the closed form; "printed", the formula as
        its paper prints it; "auto", the engine unless it takes long.
    stride: bytes from one element to the next; None, data is contiguous.
    ppn: ranks on each node.

    Raises ValueError if something is impossible, or missing in the profile.
    """
    made = grid(
        profile,
        operation,
        ranks=ranks,
        sizes=_bytes(sizes),
        algorithm=algorithm,
        model=model,
        stride=None if stride is None else in_bytes(stride),
        ppn=ppn,
    )
    return made.seconds


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
    """The predictions of `lapwing.predict` with their algorithms and models, as `rows`.

    packed: strided data is packed and unpacked by hand.  questions: number of all predictions that
    the caller will ask for, if more than these: the more, the less time "auto" gives the engine for
    each. Lists of int need no numpy, which takes longer to load than most predictions take.
    """
    return _core.predict(
        profile,
        operation,
        algorithm=algorithm,
        model=model,
        ranks=_whole("ranks", ranks),
        sizes=_whole("sizes", sizes),
        stride=None if stride is None else operator.index(stride),
        packed=packed,
        ranks_per_node=operator.index(ppn),
        questions=questions,
    )


def _bytes(sizes: "ArrayLike") -> "ArrayLike":
    """Sizes, of which some may be text, as numbers."""
    if isinstance(sizes, str):
        return [in_bytes(sizes)]
    if isinstance(sizes, Sequence):
        return [in_bytes(each) if isinstance(each, str) else each for each in sizes]
    return sizes


def _whole(what: str, numbers: "ArrayLike") -> Any:  # 64 bits each, by the buffer protocol
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

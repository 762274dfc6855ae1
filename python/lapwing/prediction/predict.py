"""What an operation takes, on a grid of numbers of ranks and sizes."""

import operator
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from .. import _core
from .._core import Prediction, Profile
from ..results.labelled import Document, Labelled
from ..units.arguments import Size, in_bytes
from .grid import grid, whole_numbers
from .interval import time_with_interval

if TYPE_CHECKING:
    import numpy
    from numpy.typing import ArrayLike, NDArray

# Broadcasts of strided data that both LogGP and log_3P have a formula for.
_CHOICES = ("linear", "binomial")


class Predictions(Labelled):
    """The result of `predict`: fields of its document are attributes. Of a million predictions,
    `seconds` is there at once, and the document on demand."""

    def __init__(self, asked: dict[str, Any], made: Sequence[_core.Predictions]) -> None:
        """asked: the document without predictions.  made: those of each algorithm."""
        self._asked = asked
        self._made = made

    @cached_property
    def seconds(self) -> "NDArray[numpy.float64]":
        """The times as an array: a row for each number of ranks, a column for each size. Of all
        algorithms, the first axis is the algorithm."""
        import numpy

        each = [made.seconds for made in self._made]
        return numpy.stack(each) if self._asked["algorithm"] == "all" else each[0]

    @cached_property
    def document(self) -> dict[str, Any]:
        """The document of `lapwing predict`."""
        ranks, sizes, model = (self._asked[name] for name in ("ranks", "sizes", "model"))
        entries = [e for made in self._made for e in _entries(made.rows, ranks, sizes, model)]
        return {"lapwing": "predict", **self._asked, "predictions": entries}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(Document(self.document), name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Predictions) and self.document == other.document

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        return {"seconds": self.seconds, "document": self.document}


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
) -> Predictions:
    """Predict what an operation takes on the machine that `profile` describes.

    operation: "send", from one rank to another, or a collective, such as "bcast".
    ranks, sizes: numbers of ranks and bytes, one or several. The size of a bcast, reduce or
        allreduce is the whole message, of an alltoall what each rank sends to each, of others the
        block of one rank. Sizes may be text, such as "64KB".
    algorithm: one by its name; "all"; "best"; or the choice of "mvapich2", "mpich" or "openmpi".
    model: "engine", simulated event by event; "model", the closed form; "printed", the formula as
        its paper prints it; "auto", the engine unless it takes long.
    stride: bytes from one element to the next; None, data is contiguous.
    ppn: ranks on each node.

    Returns the result of `lapwing predict`; `seconds` is an array of its times. Raises ValueError
    if something is impossible, or missing in the profile.
    """
    counts = whole_numbers("ranks", ranks)
    lengths = whole_numbers("sizes", _bytes(sizes))
    apart = None if stride is None else in_bytes(stride)
    names = [algorithm]
    if algorithm == "all":
        names = list(_core.predicted_algorithms(operation))
        if model == "printed":
            names = [n for n in names if _core.is_printed(operation, n, apart is not None)]
    if not names:
        raise ValueError(f"no paper prints a formula for {operation}: take another model")
    made = [
        grid(
            profile,
            operation,
            ranks=counts,
            sizes=lengths,
            algorithm=name,
            model=model,
            stride=apart,
            ppn=ppn,
            questions=len(counts) * len(lengths) * len(names),
        )
        for name in names
    ]
    asked: dict[str, Any] = {
        "operation": operation,
        "algorithm": algorithm,
        "model": model,
        "ranks": counts.tolist(),
        "sizes": lengths.tolist(),
        "ppn": operator.index(ppn),
    }
    if apart is not None:
        asked["stride"] = apart
        if operation == "send":
            asked["packing"] = [_packing(profile, size, apart) for size in asked["sizes"]]
        if operation == "bcast":
            asked["choices"] = _choices(profile, asked["ranks"], asked["sizes"], apart)
    return Predictions(asked, made)


def _bytes(sizes: "ArrayLike") -> "ArrayLike":
    """Sizes, of which some may be text, as numbers."""
    if isinstance(sizes, str):
        return [in_bytes(sizes)]
    if isinstance(sizes, Sequence):
        return [in_bytes(each) if isinstance(each, str) else each for each in sizes]
    return sizes


def _entries(
    made: list[list[Prediction]], ranks: Sequence[int], sizes: Sequence[int], model: str
) -> list[dict[str, Any]]:
    return [
        {
            "ranks": count,
            "size": size,
            "algorithm": each.algorithm,
            "predicted": time_with_interval(each),
            "model": _used(model, each.by_engine),
            "measured_range": each.measured_range,
        }
        for count, row in zip(ranks, made, strict=True)
        for size, each in zip(sizes, row, strict=True)
    ]


def _used(model: str, engine: bool) -> str:
    if model == "printed":
        return model
    return "engine" if engine else "model"


def _packing(profile: Profile, size: int, stride: int) -> dict[str, Any]:
    """A strided message as a derived type and packed; the faster one by log_3P and by LogGP."""
    derived, packed = _core.packing(profile, size, stride)
    return {
        "size": size,
        "derived": {"seconds": derived},
        "packed": {"seconds": packed},
        "log_3P": "pack" if packed < derived else "derived type",
        # LogGP knows no stride, so that packing only adds to the time.
        "LogGP": "derived type",
    }


def _choices(
    profile: Profile, ranks: Sequence[int], sizes: Sequence[int], stride: int
) -> list[dict[str, Any]]:
    """The faster broadcast by each model, from the formulas that Cameron et al. (2007) print."""

    def times(known: int | None) -> list[list[list[Prediction]]]:
        return [
            grid(
                profile,
                "bcast",
                ranks=ranks,
                sizes=sizes,
                algorithm=name,
                model="printed",
                stride=known,
            ).rows
            for name in _CHOICES
        ]

    def fastest(of: list[list[list[Prediction]]], row: int, column: int) -> str:
        made = dict(zip(_CHOICES, of, strict=True))
        return min(_CHOICES, key=lambda name: made[name][row][column].seconds)

    loggp, log3p = times(None), times(stride)
    return [
        {
            "ranks": count,
            "size": size,
            "LogGP": fastest(loggp, row, column),
            "log_3P": fastest(log3p, row, column),
        }
        for row, count in enumerate(ranks)
        for column, size in enumerate(sizes)
    ]

"""The document of `lapwing predict`: what an operation takes on a grid of ranks and sizes."""

from collections.abc import Sequence
from typing import Any

from .. import _core
from .._core import Prediction, Profile
from .grid import grid
from .interval import time_with_interval

# Broadcasts of strided data that both LogGP and log_3P have a formula for.
_CHOICES = ("linear", "binomial")


def prediction_document(
    profile: Profile,
    operation: str,
    *,
    ranks: Sequence[int],
    sizes: Sequence[int],
    algorithm: str,
    model: str,
    stride: int | None,
    ppn: int,
) -> dict[str, Any]:
    """The document of `lapwing predict`.

    algorithm: as for `lapwing.predict`, or "all"; with the model "printed", all that have a printed
    formula. The other parameters are those of `lapwing.predict`. Raises ValueError if something is
    impossible, or missing in the profile.
    """
    names = [algorithm]
    if algorithm == "all":
        names = list(_core.predicted_algorithms(operation))
        if model == "printed":
            names = [n for n in names if _core.is_printed(operation, n, stride is not None)]
    found = [
        entry
        for name in names
        for entry in _entries(
            grid(
                profile,
                operation,
                ranks=ranks,
                sizes=sizes,
                algorithm=name,
                model=model,
                stride=stride,
                ppn=ppn,
                questions=len(ranks) * len(sizes) * len(names),
            ).rows,
            ranks,
            sizes,
            model,
        )
    ]
    if not found:
        raise ValueError(f"no paper prints a formula for {operation}: leave out --model printed")
    document: dict[str, Any] = {
        "lapwing": "predict",
        "operation": operation,
        "algorithm": algorithm,
        "model": model,
        "ranks": list(ranks),
        "sizes": list(sizes),
        "ppn": ppn,
        "predictions": found,
    }
    if stride is not None:
        document["stride"] = stride
        if operation == "send":
            document["packing"] = [_packing(profile, size, stride) for size in sizes]
        if operation == "bcast":
            document["choices"] = _choices(profile, ranks, sizes, stride)
    return document


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

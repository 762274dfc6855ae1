"""Measurements of collectives as a document, and back."""

import math
import os
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from ..errors import LapwingError
from ..results.documents import load, naming_files
from .cell import Cell, Measurements, Source

_TIMES = ("median", "mean", "minimum", "maximum", "mean_over_ranks")
_COUNTS = ("nodes", "ranks_per_node", "ranks", "samples")
_TEXTS = ("system", "mpi", "run")


def load_measurements(path: str | os.PathLike[str]) -> Measurements:
    """The measurements that `lapwing import` wrote to the file `path`.

    Raises LapwingError; its one line names the file and what is wrong with it.
    """
    name = os.fspath(path)
    results = load(name)
    for result in results:
        if result.kind != "measurements":
            raise LapwingError(
                f"{name}: is a {result.kind} document, no measurements; `lapwing import` makes "
                "these of logs"
            )
    with naming_files(*results):
        return measurements_in(results[0].document)


def measurements_in(document: dict[str, Any]) -> Measurements:
    """The measurements in a document. Raises KeyError or ValueError where a field is wrong."""
    sources = [
        Source(_text(each, "file"), _text(each, "tool"), each.get("version"))
        for each in document["sources"]
    ]
    cells = [_cell(each, place, len(sources)) for place, each in enumerate(document["cells"])]
    return Measurements(cells, sources, list(document["notes"]))


def measurements_document(measurements: Measurements) -> dict[str, Any]:
    """The document of measurements, as `measurements.schema.json` says."""
    return {
        "lapwing": "measurements",
        "sources": [_known(asdict(source)) for source in measurements.sources],
        "cells": [
            {"source": cell.source, **_known({**asdict(cell), "source": None})}
            for cell in measurements.cells
        ],
        "notes": list(measurements.notes),
    }


def _known(values: dict[str, Any]) -> dict[str, Any]:
    """What is known of the values; tuples as lists."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in values.items()
        if value is not None and value != ()
    }


def _cell(document: dict[str, Any], place: int, sources: int) -> Cell:
    where = f"cells[{place}]"
    _require("median" in document or "mean" in document, where, "neither median nor mean")
    over_ranks = document.get("over_ranks")
    _require(over_ranks in (None, "slowest", "mean"), f"{where}.over_ranks", repr(over_ranks))
    quartiles = [_time(each, f"{where}.quartiles") for each in document.get("quartiles", ())]
    _require(len(quartiles) in (0, 2), f"{where}.quartiles", "not two")

    def known(names: tuple[str, ...], read: Callable[[Any, str], Any]) -> dict[str, Any]:
        return {name: read(document[name], f"{where}.{name}") for name in names if name in document}

    cell = Cell(
        operation=_text(document, "operation"),
        algorithm=_text(document, "algorithm"),
        size=_whole(document["size"], f"{where}.size", 0),
        source=_whole(document["source"], f"{where}.source", 0),
        shape=tuple(_whole(each, f"{where}.shape") for each in document.get("shape", ())),
        quartiles=(quartiles[0], quartiles[1]) if quartiles else None,
        over_ranks=over_ranks,
        **known(_TIMES, _time),
        **known(_COUNTS, _whole),
        **known(_TEXTS, _string),
    )
    _require(cell.source < sources, f"{where}.source", f"there are {sources} sources")
    if cell.nodes is not None and cell.ranks_per_node is not None:
        product = cell.nodes * cell.ranks_per_node
        _require(cell.ranks == product, f"{where}.ranks", f"{cell.ranks}, not {product}")
    return cell


def _require(holds: bool, where: str, what: str) -> None:
    if not holds:
        raise ValueError(f"{where}: {what}")


def _text(document: dict[str, Any], name: str) -> str:
    return _string(document[name], name)


def _string(value: Any, where: str) -> str:
    _require(isinstance(value, str), where, "is no text")
    return str(value)


def _whole(value: Any, where: str, least: int = 1) -> int:
    _require(type(value) is int and least <= value < 1 << 63, where, f"{value!r} is no such number")
    return int(value)


def _time(value: Any, where: str) -> float:
    number = type(value) in (int, float) and math.isfinite(value) and value > 0
    _require(number, where, f"{value!r} is no time")
    return float(value)

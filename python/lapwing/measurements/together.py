"""Measurements of one machine from several documents."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..errors import LapwingError
from .cell import Cell, Measurements, Source


def together(documents: Sequence[Measurements]) -> Measurements:
    """All cells of the documents. Raises LapwingError if they are of several machines."""
    cells: list[Cell] = []
    sources: list[Source] = []
    notes: dict[str, None] = {}
    for document in documents:
        first = len(sources)
        cells += [replace(cell, source=first + cell.source) for cell in document.cells]
        sources += document.sources
        notes |= dict.fromkeys(document.notes)
    _require_one("system", (cell.system for cell in cells))
    return Measurements(cells, sources, list(notes))


def _require_one(field: str, values: Iterable[str | None]) -> None:
    named = sorted({value for value in values if value is not None})
    if len(named) > 1:
        raise LapwingError(
            f"the measurements are of several machines: {', '.join(named)}; choose one when you "
            f"import them: --only {field}={named[0]}"
        )

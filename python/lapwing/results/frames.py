"""Results as data frames of pandas and datasets of xarray, which are optional."""

from typing import Any

from ..errors import LapwingError, needed
from .flatten import flatten, units
from .forms import form_of


def data_frame(document: dict[str, Any]) -> Any:
    """The table of a result; see `Labelled.to_pandas`."""
    pandas = needed("pandas", "to_pandas()", "pandas")
    rows = form_of(document).rows(document)
    frame = pandas.DataFrame([flatten(row) for row in rows])
    frame.attrs = {**flatten(document), "units": _units(rows)}
    return frame


def dataset(document: dict[str, Any]) -> Any:
    """The grid of a result; see `Labelled.to_xarray`."""
    needed("xarray", "to_xarray()", "xarray")
    form = form_of(document)
    rows, axes = form.rows(document), list(form.axes(document))
    if not rows or not axes:
        raise LapwingError(f"this {form.name} is no grid: to_pandas() has what it lists")
    indexed = data_frame(document).set_index(axes)
    if not indexed.index.is_unique:
        raise LapwingError(f"this {form.name} has several rows for one {', '.join(axes)}")
    grid = indexed.to_xarray()
    # What is unknown is no attribute of a file.
    grid.attrs = {name: value for name, value in flatten(document).items() if value is not None}
    for name, unit in _units(rows).items():
        grid[name].attrs["units"] = unit
    return grid


def _units(rows: list[dict[str, Any]]) -> dict[str, str]:
    return {name: unit for row in rows for name, unit in units(row).items()}

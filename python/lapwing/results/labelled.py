"""What all results have in common: a line, a table, and data frames.

`Labelled` is for every class with a `document`; `Document` is such a document itself.
"""

from collections.abc import Iterator
from typing import Any


class Labelled:
    """Shows a result by its JSON document, which has the form of its schema."""

    @property
    def document(self) -> dict[str, Any]:
        """The document."""
        raise NotImplementedError

    def __repr__(self) -> str:
        from .shown import as_line

        return as_line(self.document)

    def _repr_html_(self) -> str:
        from .shown import as_html

        return as_html(self.document)

    def to_pandas(self) -> Any:
        """Its table as a DataFrame of pandas: a row for each entry, a column for each field.

        Times are in seconds; `attrs` has the other fields of the result, and the `units` of
        columns. Raises LapwingError without pandas.
        """
        from .frames import data_frame

        return data_frame(self.document)

    def to_xarray(self) -> Any:
        """Its grid as a Dataset of xarray, with an axis for each thing that was varied.

        Raises LapwingError without xarray, and for a result that is no grid.
        """
        from .frames import dataset

        return dataset(self.document)


class Fields(dict[str, Any]):
    """A part of a document: its fields are attributes, too, as in `result.blocking.seconds`.

    What has the name of a method of `dict`, such as `copy`, is only `part["copy"]`.
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return _part(self[name])
        except KeyError:
            raise AttributeError(f"there is no {name}: there are {', '.join(self)}") from None

    def __dir__(self) -> Iterator[str]:
        yield from (*super().__dir__(), *self)


class Document(Labelled, Fields):
    """A result: its JSON document, as `lapwing schema` describes it. Fields are attributes, too."""

    @property
    def document(self) -> dict[str, Any]:
        """The same as a plain dict."""
        return dict(self)


def _part(value: Any) -> Any:
    if type(value) is dict:
        return Fields(value)
    return [_part(each) for each in value] if isinstance(value, list) else value

"""Figures of results in a program and in a notebook."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import LapwingError, did_you_mean, needed
from ..results.documents import results_of
from . import figures
from .spec import Spec, choices, title_of, titled


@dataclass(frozen=True)
class Figure:
    """A figure: a Vega-Lite specification, which notebooks show as a picture.

    selected: what drop-downs show instead of their first value.
    """

    spec: Spec
    selected: Mapping[str, str]

    @property
    def name(self) -> str:
        """Its name, as `lapwing plot --figure` has it."""
        return str(self.spec["name"])

    def __repr__(self) -> str:
        return f"Figure({self.name!r}, {title_of(self.spec)!r})"

    def picture(self, kind: str = "svg") -> bytes:
        """The figure as a file of "svg" or "png". Raises LapwingError without vl-convert."""
        needed("vl_convert", "a picture", "plot")
        from .picture import draw

        return draw([self.spec], kind, self.selected)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"image/svg+xml": self.picture().decode("utf-8"), "text/plain": repr(self)}


def plot(
    *results: Any, figure: str | None = None, title: str | None = None, **selected: str
) -> Figure:
    """A figure of results: that of a name, or the first one.

    results: results of functions of Lapwing, documents as dicts, or paths of files.  title: instead
    of the figure's own.  selected: what drop-downs show, as in `size="64 KB"`. Raises LapwingError
    for an unknown name or value, and for results of which there is no figure.
    """
    drawn = {spec["name"]: spec for spec in figures(results_of(*results))}
    if not drawn:
        raise LapwingError("there is nothing to draw in these results")
    if figure is not None and figure not in drawn:
        near = did_you_mean(figure, list(drawn)) or f": there are {', '.join(drawn)}"
        raise LapwingError(f'unknown figure "{figure}"{near}')
    spec = next(iter(drawn.values())) if figure is None else drawn[figure]
    for name, value in selected.items():
        offered = choices(spec).get(name, [])
        if value not in offered:
            raise LapwingError(
                f'{name}: there is no "{value}"{did_you_mean(value, offered)} in {spec["name"]}'
            )
    return Figure(spec if title is None else titled(spec, title), selected)

"""The table of the figures of results."""

from rich.table import Table

from ..figures import Spec, title_of
from ..units import printable
from .layout import table


def figures_table(figures: list[Spec]) -> Table:
    """The names and titles of figures."""
    made = table(("figure", "left"), ("", "left"))
    for figure in figures:
        made.add_row(figure["name"], printable(title_of(figure)))
    return made

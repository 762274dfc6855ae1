"""The table of the figures of results."""

from rich.table import Table

from ..figures import Figure
from ..units import printable
from .layout import table


def figures_table(figures: list[Figure]) -> Table:
    """The names and titles of figures."""
    made = table(("figure", "left"), ("", "left"))
    for figure in figures:
        made.add_row(figure.name, printable(figure.title))
    return made

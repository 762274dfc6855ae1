"""The layout that all tables share."""

from typing import Literal

from rich.console import Group
from rich.table import Table
from rich.text import Text

from ..units import printable

Column = tuple[str, Literal["left", "right"]]


def table(*columns: Column) -> Table:
    """An empty table; each column is its heading and its alignment."""
    made = Table(box=None, pad_edge=False)
    for heading, justify in columns:
        made.add_column(heading, justify=justify, header_style="dim", overflow="fold")
    return made


def titled(title: str, content: Table) -> Group:
    """A table under its title, which may be wider than the table."""
    return Group(Text(title, style="bold"), content)


def facts(title: str, rows: list[tuple[str, str]]) -> Group:
    """A table of names and values, without names whose value is empty."""
    made = table(("", "left"), ("", "left"))
    made.show_header = False
    for name, value in rows:
        if value:
            made.add_row(Text(printable(name), style="dim"), printable(value))
    return titled(title, made)


def warnings(messages: list[str]) -> list[Text]:
    """A line for each warning."""
    return [Text(f"warning: {printable(message)}", style="yellow") for message in messages]

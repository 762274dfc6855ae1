"""Results as people read them: in one line, and as a table of HTML."""

from collections.abc import Iterable
from html import escape
from typing import Any

from ..units import show_seconds
from .flatten import at, flatten, units
from .forms import form_of

_MOST_ROWS = 40  # of a table


def as_line(document: dict[str, Any]) -> str:
    """A result in one line: `Sweep(pattern='stream', volume=1048576, plan=1.47 ms, 9 rows)`."""
    form = form_of(document)
    said = {path: at(document, path) for path in form.said}
    words = [f"{path}={_value(value)}" for path, value in said.items() if value is not None]
    if rows := form.rows(document):
        words.append(f"{len(rows)} {'rows' if len(rows) > 1 else 'row'}")
    return f"{form.name}({', '.join(words)})"


def as_html(document: dict[str, Any]) -> str:
    """A result as two tables: its fields, and its rows."""
    form = form_of(document)
    facts = {name: value for name, value in flatten(document).items() if name != "lapwing"}
    times = units(document)
    listed = [(name, _cell(value, name in times)) for name, value in facts.items()]
    rows = form.rows(document)
    return f"<b>{escape(form.name)}</b>" + _table((), listed) + _rows_table(rows)


def _rows_table(rows: list[dict[str, Any]]) -> str:
    if not rows:
        return ""
    shown = [flatten(row) for row in rows[:_MOST_ROWS]]
    times = {name for row in rows[:_MOST_ROWS] for name in units(row)}
    columns = list(dict.fromkeys(name for row in shown for name in row))
    cells = ([_cell(row.get(name), name in times) for name in columns] for row in shown)
    rest = len(rows) - len(shown)
    more = f"<p>and {rest} more rows: to_pandas() has all</p>" if rest else ""
    return _table(columns, cells) + more


def _table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table>{f'<tr>{head}</tr>' if head else ''}{body}</table>"


def _cell(value: Any, time: bool) -> str:
    if value is None:
        return ""
    if time:
        return show_seconds(value)
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _value(value: Any) -> str:
    if isinstance(value, dict) and "seconds" in value:
        return show_seconds(value["seconds"])
    return f"{value:.4g}" if isinstance(value, float) else repr(value)

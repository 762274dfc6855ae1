"""A result's table as comma-separated values."""

import csv
import io
from typing import Any

from .flatten import flatten
from .forms import form_of


def as_csv(document: dict[str, Any]) -> str:
    """The rows of a result's table, under the names of their fields; times are in seconds.

    A result without a table is one row: its fields.
    """
    rows = [flatten(row) for row in form_of(document).rows(document)] or [flatten(document)]
    columns = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()

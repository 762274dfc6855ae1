"""A report as an object: its verdict, what to do, and the page."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from ..errors import LapwingError
from ..figures import Spec, figures
from ..results.documents import Result, results_of
from .finding import Finding
from .findings import findings
from .page import page_of
from .verdict import verdict

TITLE = "Lapwing report"


@dataclass(frozen=True)
class Report:
    """What `lapwing report` makes of results.

    sentences: the verdict.  todo: what to do, in order.  html: the page, for which a browser is
    enough.  findings, figures: all of them.
    """

    title: str
    sentences: tuple[str, ...]
    todo: tuple[str, ...]
    html: str = field(repr=False)
    findings: tuple[Finding, ...] = field(repr=False)
    figures: tuple[Spec, ...] = field(repr=False)

    def save(self, path: str, *, force: bool = False) -> None:
        """Write the page into a file. Raises LapwingError if it is there, unless `force`."""
        try:
            with open(path, "w" if force else "x", encoding="utf-8") as file:
                file.write(self.html)
        except FileExistsError:
            raise LapwingError(f"{path}: exists already; force=True replaces it") from None

    def _repr_html_(self) -> str:
        said = "".join(f"<p>{escape(each)}</p>" for each in self.sentences)
        listed = "".join(f"<li>{escape(each)}</li>" for each in self.todo)
        return f"<b>{escape(self.title)}</b>{said}<ul>{listed}</ul>"


def report(*results: Any, title: str = TITLE) -> Report:
    """A verdict on results, and one page with every figure of them, as `lapwing report` makes it.

    results: results of functions of Lapwing, documents as dicts, or paths of files. Raises
    LapwingError for what is no result, or not a whole one.
    """
    return report_of(results_of(*results), title)


def report_of(results: Sequence[Result], title: str) -> Report:
    """The report of results that were read."""
    listed = list(results)
    found, drawn = findings(listed), figures(listed)
    judged = verdict(found)
    return Report(
        title,
        tuple(judged.sentences),
        tuple(judged.todo),
        page_of(listed, title, found, drawn),
        tuple(found),
        tuple(drawn),
    )

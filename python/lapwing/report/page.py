"""The page as HTML: findings, tables and figures, with the scripts that draw them.

The page has a script of its own for figures. With a library it would be a hundred times as large,
without control over its keys and greys."""

import json
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from ..figures import Figure, figures
from ..results.documents import KINDS, Result
from .findings import Finding, findings
from .numbers import table

SECTIONS = {
    "machine": "The machine",
    "prediction": "Predicted and measured",
    "loss": "What other messages lose",
    "hidden": "What was hidden",
    "application": "Programs",
    "timeline": "Time lines",
}

_HERE = Path(__file__).parent
_SCRIPTS = ("units", "scale", "shapes", "figure")
# The page loads nothing from the network, whatever text a result has.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"

_HATCHES = {
    "up": "M-1,1l2,-2M0,6l6,-6M5,7l2,-2",
    "down": "M-1,5l2,2M0,0l6,6M5,-1l2,2",
    "level": "M0,3h6",
    "upright": "M3,0v6",
    "cross": "M0,0l6,6M0,6l6,-6",
}


def page(results: Sequence[Result], title: str) -> str:
    """The whole page. Raises LapwingError with a result that is not whole."""
    drawn, found = figures(list(results)), findings(list(results))
    groups = {
        name: [figure for figure in drawn if figure.section == name]
        for name in SECTIONS
        if any(figure.section == name for figure in drawn)
    }
    data = json.dumps([figure.document() for figure in drawn], allow_nan=False)
    parts = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>",
        f"<style>\n{_read('page.css')}</style>\n</head>\n<body>",
        '<a class="skip" href="#found">To what was found</a>',
        f"<header><h1>{escape(title)}</h1>",
        f'<p class="dim">Made by Lapwing from {_counted(results)}.</p></header>',
        _navigation(groups),
        "<main>",
        _found(found),
        "<noscript><p>The figures need a script; their numbers stand below each of them."
        "</p></noscript>"
        if drawn
        else "",
        _help() if drawn else "",
        *(_section(name, group) for name, group in groups.items()),
        _sources(results),
        "</main>",
        _hatching(),
        # No text of a result can end the script element.
        f'<script type="application/json" id="figures">{data.replace("<", chr(92) + "u003c")}'
        "</script>",
        f'<script>\n"use strict";\n(() => {{\n{_script()}}})();\n</script>',
        "</body>\n</html>\n",
    ]
    return "\n".join(part for part in parts if part)


def _counted(results: Sequence[Result]) -> str:
    number = len({result.path for result in results})
    return "one file" if number == 1 else f"{number} files"


def _navigation(groups: dict[str, list[Figure]]) -> str:
    places = {"found": "What was found", **{name: SECTIONS[name] for name in groups}}
    places["sources"] = "Sources"
    items = "".join(f'<li><a href="#{name}">{said}</a></li>' for name, said in places.items())
    return f'<nav aria-label="Sections"><ul>{items}</ul></nav>'


def _found(found: list[Finding]) -> str:
    items = "\n".join(
        f"<li>{escape(each.found)}"
        + (f' <span class="todo">{escape(each.todo)}</span>' if each.todo else "")
        + "</li>"
        for each in found
    )
    return (
        f'<section id="found"><h2>What was found</h2>\n<ul class="found">\n{items}\n</ul></section>'
    )


def _help() -> str:
    return (
        '<p class="dim help">Figures: point at a mark to read it, drag to zoom, double-click for '
        "the whole; a click on a curve&#8217;s name hides it, a double-click shows it alone. By "
        "keyboard: arrows walk from mark to mark and curve to curve, + and - zoom, shift and "
        "arrows move, 0 shows the whole.</p>"
    )


def _section(name: str, group: list[Figure]) -> str:
    inside = "\n".join(_figure(figure) for figure in group)
    return f'<section id="{name}"><h2>{SECTIONS[name]}</h2>\n{inside}\n</section>'


def _figure(figure: Figure) -> str:
    said = escape(f"{figure.title}. {figure.words} Arrow keys walk through it.", quote=True)
    return (
        f'<figure id="{figure.name}">\n<figcaption><h3>{escape(figure.title)}</h3>'
        f"<p>{escape(figure.words)}</p></figcaption>\n"
        '<div class="tools" role="group" aria-label="Zoom and axes"></div>'
        '<div class="legend" role="group" aria-label="Curves"></div>\n'
        '<svg class="picture" tabindex="0" role="application" '
        f'aria-roledescription="figure" aria-label="{said}"></svg>\n'
        '<div class="readout" role="status" aria-live="polite"></div>\n'
        f"{_numbers(figure)}\n</figure>"
    )


def _numbers(figure: Figure) -> str:
    headings, rows, more = table(figure)
    head = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in headings)
    body = "\n".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    rest = f'<p class="dim">and {more:,} more in the result</p>' if more else ""
    return (
        '<details><summary>The numbers</summary><div class="numbers" tabindex="0">'
        f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table>{rest}</div></details>"
    )


def _sources(results: Sequence[Result]) -> str:
    # Several results of one kind in a file are one row.
    rows = "\n".join(dict.fromkeys(f"<tr>{''.join(_source(each))}</tr>" for each in results))
    return (
        '<section id="sources"><h2>Sources</h2>\n<table class="words"><thead><tr>'
        '<th scope="col">file</th><th scope="col">what</th><th scope="col">where and when</th>'
        f"</tr></thead><tbody>\n{rows}\n</tbody></table></section>"
    )


def _source(result: Result) -> Iterator[str]:
    where = [str(result.document.get("target", ""))]
    if result.kind == "profile":
        machine = result.document["machine"]
        names = ("target", "mpi", "processor", "date", "source")
        where = [str(machine[name]) for name in names if machine.get(name)]
    for cell in (result.path, f"{result.kind}: {KINDS[result.kind]}", ", ".join(where).strip(", ")):
        yield f"<td>{escape(cell)}</td>"


def _hatching() -> str:
    """Hatchings that tell grey bars apart."""
    patterns = "".join(
        f'<pattern id="hatch-{name}" width="6" height="6" patternUnits="userSpaceOnUse">'
        f'<path d="{lines}"/></pattern>'
        for name, lines in _HATCHES.items()
    )
    dots = (
        '<pattern id="hatch-dots" width="6" height="6" patternUnits="userSpaceOnUse">'
        '<circle cx="3" cy="3" r="0.8"/></pattern>'
    )
    return (
        '<svg class="hatching" width="0" height="0" aria-hidden="true" style="position:absolute">'
        f"<defs>{patterns}{dots}</defs></svg>"
    )


def _script() -> str:
    return "".join(_read(f"{name}.js") for name in _SCRIPTS)


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")

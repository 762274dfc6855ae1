"""The page as HTML: the verdict, the provenance of the results, and figures that a browser draws.

Figures are the specifications of `lapwing.figures`. Vega-Lite draws them; it is in the page, which
loads nothing."""

import json
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from ..figures import Spec, figures, title_of
from ..figures.theme import COLOURS, INK, Mode, config
from ..results.documents import KINDS, Result
from .finding import Finding
from .findings import findings
from .verdict import Verdict, verdict

SECTIONS = {
    "comparison": "Two runs compared",
    "hidden": "What was hidden",
    "loss": "What other messages lose",
    "application": "Programs",
    "prediction": "Predicted and measured",
    "machine": "The machine",
    "timeline": "Time lines",
}

# Bytes. A page with more opens slowly.
LARGEST = 2_000_000

# Bytes of all that is on a page besides figures and the library that draws them, at most.
_REST = 150_000

_HERE = Path(__file__).parent
# The page loads nothing from the network, and runs no text of a result.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def page(results: Sequence[Result], title: str, largest: int = LARGEST) -> str:
    """The whole page, of at most `largest` bytes: what has no room is left out, and named.

    Raises LapwingError with a result that is not whole.
    """
    listed = list(results)
    return page_of(listed, title, findings(listed), figures(listed), largest)


def page_of(
    results: Sequence[Result],
    title: str,
    found: list[Finding],
    specs: list[Spec],
    largest: int = LARGEST,
) -> str:
    """The same with the findings and the figures of the results."""
    drawn, left_out = _fitting(specs, largest)
    parts = [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>",
        f"<style>\n{_colours()}{_read('page.css')}</style>\n</head>\n<body>",
        f"<header><h1>{escape(title)}</h1></header>",
        "<main>",
        _verdict(verdict(found)),
        *_sections(drawn),
        _left_out(left_out),
        _findings(found),
        _provenance(results),
        "</main>",
        *(_scripts(drawn) if drawn else []),
        "</body>\n</html>\n",
    ]
    return "\n".join(part for part in parts if part)


def _fitting(drawn: list[Spec], largest: int) -> tuple[list[Spec], list[str]]:
    """The figures that a page has room for, and the names of the others: the largest."""
    room = largest - _REST - (_HERE / "vega.js").stat().st_size
    sizes = {spec["name"]: len(json.dumps(spec)) for spec in drawn}
    left_out = []
    while sum(sizes.values()) > room:
        longest = max(sizes, key=lambda name: sizes[name])
        left_out.append(longest)
        del sizes[longest]
    return [spec for spec in drawn if spec["name"] in sizes], left_out


def _colours() -> str:
    """The colours of the page, those of its figures."""

    def block(mode: Mode) -> str:
        names = {**INK[mode], "s0": COLOURS[mode][0]}
        return "".join(f" --{name}: {value};" for name, value in names.items())

    return (
        f":root {{ color-scheme: light dark;{block('light')} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root {{{block('dark')} }} }}\n"
    )


def _verdict(judged: Verdict) -> str:
    said = "".join(f"<p>{escape(each)}</p>" for each in judged.sentences)
    todo = "".join(f"<li>{escape(each)}</li>" for each in judged.todo)
    return (
        f'<section id="verdict" class="verdict" aria-label="Verdict">\n{said}\n'
        f'<div class="todo">What to do:<ul>{todo}</ul></div>\n</section>'
    )


def _sections(drawn: list[Spec]) -> Iterator[str]:
    """A section of figures each; the first is open."""
    opened = " open"
    for name, group in groupby(drawn, key=lambda spec: str(spec["usermeta"]["section"])):
        of = list(group)
        titles = ", ".join(title_of(spec) for spec in of[:3]) + (", ..." if len(of) > 3 else "")
        yield (
            f'<details class="section" id="of-{name}"{opened}><summary><h2>{SECTIONS[name]}</h2> '
            f'<span class="dim">{escape(titles)}</span></summary>\n'
            + "\n".join(_figure(spec) for spec in of)
            + "\n</details>"
        )
        opened = ""


def _figure(spec: Spec) -> str:
    said = escape(f"{title_of(spec)}. {spec['description']}", quote=True)
    return (
        f'<figure id="{spec["name"]}">\n<figcaption><h3>{escape(title_of(spec))}</h3>'
        f"<p>{escape(spec['description'])}</p></figcaption>\n"
        f'<div class="choices"></div>\n<div class="chart" role="img" aria-label="{said}"></div>\n'
        '<div class="tools" role="group" aria-label="Download"><span class="dim">Download:</span>'
        '</div>\n<details class="numbers"><summary>The numbers</summary><div tabindex="0"></div>'
        "</details>\n</figure>"
    )


def _left_out(names: list[str]) -> str:
    if not names:
        return ""
    return (
        f"<p>The page has no room for {escape(', '.join(names))}: <code>lapwing plot</code> draws "
        "them.</p>"
    )


def _findings(found: list[Finding]) -> str:
    items = "\n".join(
        f"<li>{escape(each.found)}"
        + (f' <span class="todo">{escape(each.todo)}</span>' if each.todo else "")
        + "</li>"
        for each in found
    )
    return _folded("found", "All findings", f"{len(found)}", f'<ul class="found">\n{items}\n</ul>')


def _provenance(results: Sequence[Result]) -> str:
    # Several results of one kind in a file are one row.
    rows = "\n".join(dict.fromkeys(f"<tr>{''.join(_source(each))}</tr>" for each in results))
    head = "".join(
        f'<th scope="col">{name}</th>'
        for name in ("file", "what", "target", "date", "version", "command")
    )
    files = len({result.path for result in results})
    return _folded(
        "provenance",
        "Provenance",
        "one file" if files == 1 else f"{files} files",
        f'<div class="wide"><table class="words"><thead><tr>{head}</tr></thead><tbody>\n{rows}\n'
        "</tbody></table></div>",
    )


def _folded(name: str, title: str, said: str, inside: str) -> str:
    return (
        f'<details class="section" id="{name}"><summary><h2>{title}</h2> '
        f'<span class="dim">{said}</span></summary>\n{inside}\n</details>'
    )


def _source(result: Result) -> Iterator[str]:
    made = result.provenance
    for cell in (result.path, f"{result.kind}: {KINDS[result.kind]}", made.target, made.date):
        yield f"<td>{escape(cell) or 'not recorded'}</td>"
    yield f"<td>{escape(made.version) or 'not recorded'}</td>"
    yield f"<td><code>{escape(made.command) or 'not recorded'}</code></td>"


def _scripts(drawn: list[Spec]) -> Iterator[str]:
    yield "<noscript><p>The figures need a script.</p></noscript>"
    themes = {mode: config(mode) for mode in INK}
    yield _data("figures", drawn)
    yield _data("themes", themes)
    yield f"<script>\n{_read('vega.js')}</script>"
    yield f"<script>\n{_read('page.js')}</script>"


def _data(name: str, value: Any) -> str:
    # No text of a result can end the script element.
    text = json.dumps(value, allow_nan=False, separators=(",", ":")).replace("<", r"\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>'


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")

"""The notebook of the documents: executes it, and makes its page.

build/venv/bin/python docs/notebook.py --execute docs/notebook.ipynb   keeps what cells show
build/venv/bin/python docs/notebook.py docs/notebook.ipynb             prints the page
"""

import ast
import base64
import contextlib
import html
import io
import json
import os
import sys
from pathlib import Path
from typing import Any

Cell = dict[str, Any]

PROGRAMS = Path(__file__).resolve().parent.parent / "build" / "bin"


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with what its cells of code show when they are executed one after another."""
    names: dict[str, Any] = {}
    cells = []
    for number, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "code":
            shown = run("".join(cell["source"]), names)
            cell = {**cell, "execution_count": number, "outputs": shown}
        cells.append(cell)
    return {**notebook, "cells": cells}


def run(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """What a cell prints, and what its last expression is shown as."""
    body = ast.parse(source).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    found: list[dict[str, Any]] = []
    if text := printed.getvalue():
        found.append({"output_type": "stream", "name": "stdout", "text": lines(text)})
    if value is not None:
        data = {kind: lines(text) for kind, text in forms(value).items()}
        found.append({"output_type": "display_data", "metadata": {}, "data": data})
    return found


def forms(value: Any) -> dict[str, str]:
    """The forms in which a value is shown, by their media types."""
    if hasattr(value, "_repr_mimebundle_"):
        bundle: dict[str, str] = value._repr_mimebundle_()
        return bundle
    shown = {"text/plain": repr(value)}
    if hasattr(value, "_repr_html_"):
        shown["text/html"] = value._repr_html_()
    return shown


def lines(text: str) -> list[str]:
    """A text as notebooks keep it."""
    return text.splitlines(keepends=True)


def page(notebook: dict[str, Any]) -> str:
    """The cells of a notebook, one after another, each with what it showed."""
    parts = []
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
        parts += [markdown(output) for output in cell.get("outputs", [])]
    return "\n\n".join(parts) + "\n"


def markdown(output: dict[str, Any]) -> str:
    """What a cell showed: a picture, a table, or a text."""
    data = {kind: "".join(text) for kind, text in output.get("data", {}).items()}
    if "image/svg+xml" in data:
        picture = base64.b64encode(data["image/svg+xml"].encode()).decode()
        return f"![{html.escape(data['text/plain'])}](data:image/svg+xml;base64,{picture})"
    if "text/html" in data:
        return data["text/html"]
    text = "".join(output["text"]) if "text" in output else data["text/plain"]
    return f"```\n{text.rstrip()}\n```"


def main() -> None:
    """Execute the notebook, or print its page."""
    *options, name = sys.argv[1:]
    path = Path(name).resolve()
    notebook = json.loads(path.read_text(encoding="utf-8"))
    if options == ["--execute"]:
        os.chdir(path.parent)  # as Jupyter does
        os.environ.setdefault("LAPWING_NATIVE_DIR", str(PROGRAMS))
        text = json.dumps(executed(notebook), indent=1, ensure_ascii=False) + "\n"
        path.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(page(notebook))


if __name__ == "__main__":
    main()

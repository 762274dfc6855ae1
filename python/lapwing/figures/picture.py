"""Figures as files: SVG and PNG, by vl-convert, which draws as a browser does."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .spec import VERSION, Spec, choices
from .theme import config

_WIDTH = 620  # pixels
_GAP = 16
_SIZE = re.compile(r'<svg[^>]* width="([0-9.]+)" height="([0-9.]+)"')
# Names within an SVG file: vl-convert counts them on from figure to figure.
_NAMES = re.compile(r'(?<=\bid=")[^"]+')


def draw(specs: Sequence[Spec], kind: str, chosen: Mapping[str, str] | None = None) -> bytes:
    """The figures, one below the other, as the bytes of a file of `kind`, "png" or "svg".

    chosen: for columns with a drop-down, what is shown instead of the first choice.
    """
    import vl_convert

    drawn = [
        _renamed(vl_convert.vegalite_to_svg(_still(spec, chosen or {}), vl_version=VERSION), number)
        for number, spec in enumerate(specs)
    ]
    whole = drawn[0] if len(drawn) == 1 else _below(drawn)
    if kind == "svg":
        return whole.encode("utf-8")
    picture: bytes = vl_convert.svg_to_png(whole, scale=2)
    return picture


def _still(spec: Spec, chosen: Mapping[str, str]) -> Spec:
    """The figure with its drop-downs set, named in its title, and a width of its own."""
    values = {name: chosen.get(name, options[0]) for name, options in choices(spec).items()}
    params: list[dict[str, Any]] = [
        {"name": f"{name}_shown", "value": value} for name, value in values.items()
    ]
    shown = {"subtitle": ", ".join(values.values())} if values else {}
    return {
        **spec,
        "width": _WIDTH,
        "autosize": {"type": "pad"},
        "params": params,
        "title": {**spec["title"], **shown},
        "config": config("light"),
    }


def _renamed(svg: str, number: int) -> str:
    """The figure with names that no other figure of the file has, and that are always the same."""
    for place, name in enumerate(dict.fromkeys(_NAMES.findall(svg))):
        svg = re.sub(rf'(?<=["#]){re.escape(name)}(?=["\)])', f"f{number}-{place}", svg)
    return svg


def _below(drawn: Sequence[str]) -> str:
    width, height, parts = 0.0, 0.0, []
    for svg in drawn:
        found = _SIZE.search(svg)
        assert found is not None
        parts.append(f'<g transform="translate(0,{height:g})">{svg}</g>')
        width = max(width, float(found[1]))
        height += float(found[2]) + _GAP
    size = f'width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>'

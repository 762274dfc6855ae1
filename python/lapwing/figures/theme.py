"""How figures look on a light and on a dark page: configurations of Vega-Lite."""

from typing import Any, Literal

Mode = Literal["light", "dark"]

# Each has a contrast of at least 3 to its page, words 4.5.
COLOURS: dict[Mode, list[str]] = {
    "light": [
        "#0b5fa5", "#b5470a", "#1b7f5c", "#7a3e9d", "#806500", "#c2185b", "#4a5568", "#0e7c86",
    ],
    "dark": [
        "#6cb6ff", "#ff9a5c", "#5fd3a3", "#c99bf0", "#e3c34b", "#ff85b3", "#b4bfcc", "#5cd0dc",
    ],
}  # fmt: skip
INK: dict[Mode, dict[str, str]] = {
    "light": {"page": "#ffffff", "ink": "#1a2027", "dim": "#4b5560", "faint": "#dde2e7"},
    "dark": {"page": "#14181c", "ink": "#e6eaee", "dim": "#a9b3bd", "faint": "#343b43"},
}
# Shapes and dashes tell apart in grey what colours do on a screen.
DASHES = [[1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 4], [10, 3], [1, 3], [6, 2, 2, 2]]
_SHAPES = [
    "circle", "square", "triangle-up", "diamond",
    "cross", "triangle-down", "triangle-left", "triangle-right",
]  # fmt: skip


def config(mode: Mode) -> dict[str, Any]:
    """The configuration for a page of that mode."""
    ink = INK[mode]
    text = {"labelColor": ink["ink"], "titleColor": ink["ink"]}
    return {
        "background": ink["page"],
        "font": "system-ui, sans-serif",
        "axis": {
            **text,
            "domainColor": ink["dim"],
            "tickColor": ink["dim"],
            "gridColor": ink["faint"],
            "labelFontSize": 12,
            "titleFontSize": 12,
            "labelOverlap": True,
            "tickCount": 7,
            "labelLimit": 260,
        },
        "legend": {**text, "labelFontSize": 12, "labelLimit": 260, "columns": 3, "symbolSize": 80},
        "title": {"color": ink["ink"], "fontSize": 14, "limit": 640},
        "view": {"stroke": ink["faint"]},
        "range": {"category": COLOURS[mode], "symbol": _SHAPES},
        "mark": {"color": COLOURS[mode][0]},
        "rule": {"color": ink["dim"]},
        "text": {"color": ink["dim"], "fontSize": 12},
        "bar": {"stroke": ink["page"], "strokeWidth": 0.5},
    }

"""Draws docs/stream.svg, the README's picture, from a sweep document on standard input.

    lapwing calibrate --on sim:ib4x -o machine.json
    lapwing sweep --on sim:ib4x machine.json --volume 128KB --ratio 1 --json |
        python3 docs/picture.py > docs/stream.svg
"""

import json
import sys
from typing import Any

WIDTH, LEFT, ROW = 720, 150, 46
RULER = WIDTH - LEFT - 90  # pixels of the longest time


def strip(sizes: list[int], volume: int, length: float, y: int) -> str:
    """The messages of one run, each as wide as its share of the time the run took."""
    x, parts = float(LEFT), []
    for size in sizes:
        width = size / volume * length
        parts.append(
            f'<rect x="{x:.1f}" y="{y}" width="{max(width - 1, 0.5):.1f}" height="20" rx="2"/>'
        )
        x += width
    return "".join(parts)


def picture(sweep: dict[str, Any]) -> str:
    """The SVG document: a row for each way to run the stream, as long as the time it took."""
    volume, best = sweep["volume"], sweep["best"]
    uniform = [best["message"]] * (volume // best["message"])
    rows = [
        ("blocking", [volume], sweep["blocking"]["seconds"], 0.0),
        ("equal messages", uniform, best["seconds"], best["hidden"]),
        ("Lapwing's plan", sweep["plan"]["messages"], sweep["plan"]["seconds"], sweep["hidden"]),
    ]
    scale = RULER / rows[0][2]
    limit = LEFT + sweep["limit"]["seconds"] * scale
    height = 64 + ROW * len(rows)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        'font-family="sans-serif" font-size="14">',
        f"<title>A stream of {volume >> 10} KB, sent and consumed in three ways</title>",
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="12" y="24" font-weight="bold">{volume >> 10} KB sent and consumed: '
        "time taken, and the messages it was cut into</text>",
    ]
    for row, (name, sizes, seconds, hidden) in enumerate(rows):
        y = 44 + ROW * row
        length = seconds * scale
        fill = "#1b7f5c" if name.startswith("Lapwing") else "#8a9099"
        out.append(f'<text x="12" y="{y + 15}">{name}</text>')
        out.append(f'<g fill="{fill}">{strip(sizes, volume, length, y)}</g>')
        out.append(f'<text x="{LEFT + length + 6:.0f}" y="{y + 15}">{seconds * 1e6:.0f} µs</text>')
        out.append(
            f'<text x="{LEFT}" y="{y + 34}" font-size="11" fill="#444">'
            f"{hidden:.0%} of the communication hidden</text>"
        )
    bottom = 44 + ROW * len(rows)
    out.append(
        f'<line x1="{limit:.0f}" x2="{limit:.0f}" y1="38" y2="{bottom - 10}" stroke="#c0392b" '
        'stroke-dasharray="4 3"/>'
    )
    out.append(
        f'<text x="{limit - 4:.0f}" y="{bottom + 4}" font-size="11" fill="#c0392b" '
        'text-anchor="end">limit: no choice of messages is faster</text>'
    )
    return "\n".join([*out, "</svg>"]) + "\n"


if __name__ == "__main__":
    sys.stdout.write(picture(json.load(sys.stdin)))

"""The figures of common benchmarks, in the layout of these benchmarks."""

from rich.console import RenderableType
from rich.text import Text

from ..profiles.benchmarks import Benchmarks
from .layout import table, titled


def benchmark_tables(found: Benchmarks, *, latency: bool, bandwidth: bool) -> list[RenderableType]:
    """Tables of half round trips (us) and bandwidth (MB/s of 1e6 bytes) by bytes."""
    made = table(("bytes", "right"))
    columns = []
    if latency:
        made.add_column("half round trip, us", justify="right", header_style="dim")
        columns.append([f"{time * 1e6:.2f}" for time in found.half_round_trip])
    if bandwidth:
        made.add_column("MB/s (1e6)", justify="right", header_style="dim")
        columns.append([f"{rate / 1e6:.2f}" if rate else "-" for rate in found.bandwidth])
    for size, *values in zip(found.sizes, *columns, strict=True):
        made.add_row(str(size), *values)
    parts: list[RenderableType] = [titled("As IMB PingPong and OSU latency and bw print it", made)]
    if not found.measured:
        what = "Not measured as those benchmarks do: this is what the profile's other tables imply."
        parts.append(Text(what, style="yellow"))
    return parts

"""The names of the benchmarks, and the settings of each."""

from collections.abc import Callable
from dataclasses import dataclass

SCHEDULES = ("blocking", "overlapped")
TRANSPORTS = ("two-sided", "put", "get")
CLASSES = ("S", "W", "A", "B", "C", "D", "E")
# The schedule that leaves the choice to a plan.
AUTO = "auto"


@dataclass(frozen=True)
class Benchmark:
    """A benchmark.

    name: as NPB writes it.  title: what it computes.  settings: what its user, or a plan, chooses,
    with what it means.  memory: bytes that all ranks take together, by class.
    """

    name: str
    title: str
    settings: dict[str, str]
    memory: dict[str, float]


def _by_class(memory: Callable[[int], float], *sizes: int) -> dict[str, float]:
    return {name: memory(size) for name, size in zip(CLASSES, sizes, strict=True)}


BENCHMARKS = {
    "is": Benchmark(
        "IS",
        "integer keys, ranked by bucket",
        {
            "tiles": "parts of a rank's keys, each sent while the next is sorted",
            "ahead": "tiles to sort while ranks agree on the owners of keys",
            "window": "tiles in flight",
        },
        # Keys as they are generated, as they are sent and as they arrive.
        _by_class(lambda log: 3 * 4 * 2**log, 16, 20, 23, 25, 27, 31, 35),
    ),
    "mg": Benchmark(
        "MG",
        "Poisson's equation, solved by V-cycles",
        {"agglomerate": "largest side, in points, of levels that every rank computes whole"},
        # Two arrays of each level and the right-hand side, of points a side.
        _by_class(lambda side: 8 * side**3 * (1 + 2 * 8 / 7), 32, 128, 256, 256, 512, 1024, 2048),
    ),
    "cg": Benchmark(
        "CG",
        "the smallest eigenvalue of a sparse matrix, by conjugate gradients",
        {
            "sums": "sums over all ranks in a step: 2, as in the textbook, or 1",
            "group": "ranks that exchange their numbers in a round of a sum",
            "early": "eighths of a slice of columns to multiply before others arrive",
            "pieces": "messages with a rank's sums of products to another rank",
        },
        # Value and column of each nonzero: so many in a row, times the rows.
        _by_class(
            lambda nonzeros: 12 * nonzeros,
            57 * 1400,
            73 * 7000,
            133 * 14_000,
            183 * 75_000,
            241 * 150_000,
            463 * 1_500_000,
            703 * 9_000_000,
        ),
    ),
}

"""What the benchmarks are called, and what can be chosen of each."""

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
    with what it means.
    """

    name: str
    title: str
    settings: dict[str, str]


BENCHMARKS = {
    "mg": Benchmark(
        "MG",
        "Poisson's equation, solved by V-cycles",
        {"agglomerate": "points a side of the largest level that every rank has whole"},
    ),
}
